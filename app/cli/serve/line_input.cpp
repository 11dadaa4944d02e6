#include "app/cli/serve/line_input.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace helio {

LineInput::LineInput(int descriptor, std::size_t mostBytes)
    : m_descriptor(descriptor)
    , m_mostBytes(mostBytes)
    , m_wakeUp(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
}

LineInput::~LineInput()
{
    if (m_wakeUp >= 0)
        close(m_wakeUp);
}

void LineInput::interrupt()
{
    const std::uint64_t one = 1;
    if (m_wakeUp >= 0) [[maybe_unused]]
        const ssize_t ignored = write(m_wakeUp, &one, sizeof one);
}

bool LineInput::waitForClosed(int output)
{
    if (m_wakeUp < 0) // Nothing could end the waiting.
        return false;
    std::array<pollfd, 2> waited{{{output, 0, 0}, {m_wakeUp, POLLIN, 0}}};
    while (poll(waited.data(), waited.size(), -1) < 0)
        if (errno != EINTR)
            return false;
    return waited[1].revents == 0;
}

/// Waits for bytes and appends them to m_text. Returns false at the end of the input.
bool LineInput::fill()
{
    std::array<pollfd, 2> waited{{{m_descriptor, POLLIN, 0}, {m_wakeUp, POLLIN, 0}}};
    while (poll(waited.data(), waited.size(), -1) < 0)
        if (errno != EINTR)
            return false;
    if (waited[1].revents != 0)
        return false;
    std::array<char, 1 << 16> bytes;
    ssize_t count = -1;
    do
        count = read(m_descriptor, bytes.data(), bytes.size());
    while (count < 0 && errno == EINTR);
    if (count <= 0)
        return false;
    m_text.append(bytes.data(), static_cast<std::size_t>(count));
    return true;
}

LineInput::Outcome LineInput::next(std::string_view& line)
{
    m_text.erase(0, m_next);
    m_next = m_searched = 0;
    bool isTooLong = false;
    for (;;) {
        const std::size_t end = m_text.find('\n', m_searched);
        const bool isFound = end != std::string::npos;
        const std::size_t size = isFound ? end : m_text.size();
        isTooLong = isTooLong || size > m_mostBytes;
        if (isFound || m_isAtEnd) {
            m_next = isFound ? end + 1 : size;
            line = isTooLong ? std::string_view() : std::string_view(m_text).substr(0, size);
            return isTooLong ? Outcome::TooLong : m_next > 0 ? Outcome::Line : Outcome::End;
        }
        m_searched = size;
        if (isTooLong) {
            m_text.clear();
            m_searched = 0;
        }
        m_isAtEnd = !fill();
    }
}

} // namespace helio
