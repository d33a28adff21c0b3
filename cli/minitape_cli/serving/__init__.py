"""`--watch`: serves a page on this computer, re-created whenever the script is saved.

watch      the loop: run, show, wait for the next save
board      the current page, and the requests that wait for the next one
access     which requests are accepted: those of the page itself
server     the connections, each with a time limit
saved      the files that are watched
"""
