"""Manual pages from what swift-argument-parser knows of a program (`--experimental-dump-help`)."""

import re


def escaped(text):
    """Text in which troff sees no request, no escape and no hyphen that it may replace."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"(?m)^(?=[.'])", r"\\&", text)


def paragraphs(text):
    """Paragraphs of plain text; indented lines stay as they are."""
    lines = []
    for block in re.split(r"\n\s*\n", text.strip()):
        lines.append(".PP")
        for line in block.split("\n"):
            if line.startswith(" "):
                lines += [".RS 2", ".nf", escaped(line.strip()), ".fi", ".RE"]
            else:
                lines.append(escaped(line))
    return lines


def spelling(name):
    return ("-" if name["kind"] in ("short", "longWithSingleDash") else "--") + name["name"]


def value_of(argument):
    return argument.get("valueName", "value")


def tag(argument):
    """The first line of an argument's entry."""
    if argument["kind"] == "positional":
        return r"\fI%s\fR%s" % (escaped(value_of(argument)), " ..." if argument["isRepeating"] else "")
    names = ", ".join(r"\fB%s\fR" % escaped(spelling(name)) for name in argument["names"])
    return names if argument["kind"] == "flag" else r"%s \fI%s\fR" % (names, escaped(value_of(argument)))


def shown(command):
    return [argument for argument in command.get("arguments", []) if argument.get("shouldDisplay", True)]


def synopsis(command, name):
    words = [r"\fB%s\fR" % escaped(name)]
    arguments = shown(command)
    if any(argument["kind"] != "positional" for argument in arguments):
        words.append(r"[\fIoptions\fR]")
    for argument in arguments:
        if argument["kind"] == "positional":
            words.append(("[%s]" if argument["isOptional"] else "%s") % tag(argument))
    if [child for child in command.get("subcommands", []) if child["commandName"] != "help"]:
        words.append(r"\fIsubcommand\fR")
    return " ".join(words)


def entries(command):
    lines, section = [], None
    for argument in shown(command):
        title = argument.get("sectionTitle")
        if title != section and title:
            lines.append('.SS "%s"' % escaped(title).replace('"', "'"))
        section = title
        lines += [".TP", tag(argument)]
        text = " ".join(part for part in (argument.get("abstract"), argument.get("discussion")) if part)
        lines += [escaped(line) for line in (text or "-").split("\n") if line.strip()]
    return lines


def manual_page(command, name, installed, version):
    """A page of section 1 about a program that is installed under another name than its own."""
    def renamed(text):
        return re.sub(r"(?m)(^\s*|['`(] ?)%s(?= )" % re.escape(name), r"\g<1>" + installed, text)

    lines = [
        '.TH "%s" 1 "" "agent\\-stream %s"' % (installed.upper(), escaped(version)), ".SH NAME",
        r"%s \- %s" % (escaped(installed), escaped(command["abstract"].rstrip("."))), ".SH SYNOPSIS",
        synopsis(command, installed)]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", *paragraphs(renamed(command["discussion"]))]
    lines += [".SH OPTIONS", *entries(command)]
    def sections(parent, words):
        for child in parent.get("subcommands", []):
            if child["commandName"] == "help":
                continue
            own = words + [child["commandName"]]
            # Subcommands of subcommands are sections of the second kind, under their whole names.
            heading = '.SH "%s"' % escaped(own[-1].upper()) if len(own) == 2 else '.SS "%s"' % escaped(" ".join(own[1:]))
            lines.extend([heading, synopsis(child, " ".join(own)), ".PP", escaped(child.get("abstract", ""))])
            if child.get("discussion"):
                lines.extend(paragraphs(renamed(child["discussion"])))
            lines.extend(entries(child))
            sections(child, own)

    sections(command, [installed])
    return "\n".join(lines) + "\n"
