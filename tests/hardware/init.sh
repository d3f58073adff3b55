#!/bin/sh
# The whole guest: a kernel with a USB stack, a board as a USB gadget plugged into it, and pumps
# between its ends and the machine outside.
#
#   ports/board    what the emulated board says and hears    (the device's end of the cable)
#   ports/reader   what a program reads and writes           (the kernel's hidraw node)
#   ports/control  in: plug, unplug, pyusb, release, said    out: ready, found NODE IDS, gone, released
export PATH=/bin
/bin/busybox mkdir -p /proc /sys /dev /tmp
/bin/busybox --install -s /bin
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
for module in $(cat /modules/order); do insmod "/modules/$module" 2>/tmp/insmod || cat /tmp/insmod; done
mount -t configfs none /sys/kernel/config

port() { # the device of a named port
    for port in /sys/class/virtio-ports/*; do
        [ "$(cat "$port/name")" = "$1" ] && echo "/dev/${port##*/}"
    done
}
exec 3<>"$(port board)" 4<>"$(port reader)" 5<>"$(port control)"

gadget=/sys/kernel/config/usb_gadget/board
mkdir "$gadget" && cd "$gadget" || exit
echo 0x2d80 >idVendor
echo 0x8202 >idProduct
mkdir strings/0x409 configs/c.1 functions/hid.0
echo "Emulated" >strings/0x409/manufacturer
echo "Chessnut Air+" >strings/0x409/product
echo 0 >functions/hid.0/protocol
echo 64 >functions/hid.0/report_length
cat /descriptor >functions/hid.0/report_desc
ln -s functions/hid.0 configs/c.1/

plug() {
    echo dummy_udc.0 >UDC
    while [ ! -e /dev/hidg0 ]; do sleep 0.1; done
    dd iflag=fullblock bs=64 of=/dev/hidg0 <&3 2>/dev/null & device_in=$!
    cat /dev/hidg0 >&3 2>/dev/null & device_out=$!
}

unplug() {
    echo "" >UDC
    kill "$device_in" "$device_out" 2>/dev/null
}

reader() { # whichever node is there, until it is gone
    while :; do
        for node in /dev/hidraw*; do
            [ -e "$node" ] || continue
            ids=$(sed -n 's/^HID_ID=//p' "/sys/class/hidraw/${node##*/}/device/uevent")
            exec 6<>"$node" || continue
            echo "found ${node##*/} $ids" >&5
            cat <&4 >&6 2>/dev/null & to_node=$!
            cat <&6 >&4 2>/dev/null
            kill "$to_node"
            exec 6>&-
            echo "gone" >&5
        done
        sleep 0.1
    done
}
reader & raw=$!

pyusb() { # the driver's own wire instead, which takes the device from the kernel
    kill "$raw"
    export PYTHONDONTWRITEBYTECODE=1
    sh -c "exec env $(cat /program)" >/tmp/said 2>&1 & program=$!
}

release() {
    kill "$program"
}

said() { # what the program printed, to the console
    cat /tmp/said >/dev/console
}

echo "ready" >&5
while read -r order <&5; do "$order"; done
