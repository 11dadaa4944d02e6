#include "app/cli/output/output.h"

#include "app/cli/output/redirection.h"
#include "core/base/utf8.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace helio {
namespace {

/// Writes to standard output, or passes the text to the receiver. Returns false and sets `errno` if that failed.
bool writeText(std::string_view text)
{
    if (OutputReceiver* const receiver = outputReceiver()) {
        errno = EPIPE;
        return receiver->output(text);
    }
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

} // namespace

void Output::flush()
{
    writeOut(m_buffer);
    m_buffer.clear();
}

void Output::write(std::string_view text)
{
    flush();
    writeOut(text);
}

void Output::flushFull()
{
    flush();
    if (commandStop().stop_requested())
        throw CommandCancelled();
}

void Output::writeOut(std::string_view text)
{
    if (!m_hasFailed && !text.empty() && !writeText(text)) {
        m_hasFailed = true;
        m_errno = errno;
    }
}

std::string Output::problem() const { return std::string("standard output: ") + std::strerror(m_errno); }

void warn(const std::string& what)
{
    if (OutputReceiver* const receiver = outputReceiver())
        return receiver->warning(what);
    std::string lines;
    for (std::size_t begin = 0; begin <= what.size();) {
        const std::size_t end = std::min(what.find('\n', begin), what.size());
        lines += "heliograph: ";
        appendPrintable(lines, std::string_view(what).substr(begin, end - begin));
        lines += '\n';
        begin = end + 1;
    }
    std::fwrite(lines.data(), 1, lines.size(), stderr);
}

} // namespace helio
