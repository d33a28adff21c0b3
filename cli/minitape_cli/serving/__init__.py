"""`--watch`: a page on this computer's own address, made anew whenever the script is saved.

watch      the loop: run, show, wait for the next save
board      what is shown now, and who waits for what comes next
door       which requests are let in: those of the page itself
server     the connections, none of which may take long
saved      which files are looked at
"""
