"""The MQTT outlet: reads the journal's outputs, publishes them, and takes arbiters' commands.

client      a connection to any broker, MQTT 5 or 3.1.1
outbox      journal rows out, in order, by a cursor
commands    arbiters' acts in
answering   how their answers go back on MQTT 5
outlet      one session after another: truth, status, outbox, snapshots, commands
embedded    a broker of our own as a child process
"""
