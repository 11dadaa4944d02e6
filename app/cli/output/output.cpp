#include "app/cli/output/output.h"

#include "app/cli/output/command_capture.h"
#include "core/base/utf8.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace helio {
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

void Output::writeOut(std::string_view text)
{
    if (CommandCapture* const capture = CommandCapture::current())
        return capture->addText(text);
    if (!m_hasFailed && !text.empty() && (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)) {
        m_hasFailed = true;
        m_errno = errno;
    }
}

std::string Output::problem() const { return std::string("standard output: ") + std::strerror(m_errno); }

void warn(const std::string& what)
{
    if (CommandCapture* const capture = CommandCapture::current())
        return capture->addMessage(what);
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
