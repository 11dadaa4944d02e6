#include "app/cli/output/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace helio {
namespace {

void appendEscaped(std::string& out, std::string_view text, bool withControls)
{
    static constexpr char digits[] = "0123456789abcdef";
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const std::size_t length = utf8Length(text.substr(i));
        const bool isControl = byte < 0x20 || byte == 0x7f;
        if (length == 0 || (withControls && isControl)) {
            out += "\\x";
            out += digits[byte >> 4];
            out += digits[byte & 15];
            ++i;
            continue;
        }
        out.append(text.substr(i, length));
        i += length;
    }
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

void Output::writeOut(std::string_view text)
{
    if (!m_hasFailed && !text.empty() && (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)) {
        m_hasFailed = true;
        m_errno = errno;
    }
}

std::string Output::problem() const { return std::string("standard output: ") + std::strerror(m_errno); }

void complain(const std::string& what)
{
    std::string lines;
    for (std::size_t begin = 0; begin <= what.size();) {
        const std::size_t end = std::min(what.find('\n', begin), what.size());
        lines += "heliograph: ";
        appendPlain(lines, std::string_view(what).substr(begin, end - begin));
        lines += '\n';
        begin = end + 1;
    }
    std::fwrite(lines.data(), 1, lines.size(), stderr);
}

std::size_t utf8Length(std::string_view text)
{
    const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto follows = [&](std::size_t i) { return (at(i) & 0xc0) == 0x80; };
    const unsigned first = at(0);
    if (text.empty())
        return 0;
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first <= 0xdf)
        return follows(1) ? 2 : 0;
    // The second byte's range leaves out overlong forms, surrogates and what lies beyond U+10FFFF.
    if (first >= 0xe0 && first <= 0xef)
        return follows(1) && follows(2) && !(first == 0xe0 && at(1) < 0xa0) && !(first == 0xed && at(1) > 0x9f) ? 3 : 0;
    if (first >= 0xf0 && first <= 0xf4)
        return follows(1) && follows(2) && follows(3) && !(first == 0xf0 && at(1) < 0x90) && !(first == 0xf4 && at(1) > 0x8f) ? 4 : 0;
    return 0;
}

void appendUtf8(std::string& out, std::string_view text) { appendEscaped(out, text, false); }

void appendPlain(std::string& out, std::string_view text) { appendEscaped(out, text, true); }

} // namespace helio
