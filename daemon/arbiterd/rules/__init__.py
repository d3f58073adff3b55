"""What is legal. One module a rule set; `ruleset` is the question sheet they all answer."""
