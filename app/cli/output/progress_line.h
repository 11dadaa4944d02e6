#pragma once

#include <functional>
#include <string>
#include <thread>

namespace helio {

/// Line with the progress of long work on standard error, updated five times a second, only on a terminal. The destructor removes the line.
class ProgressLine {
public:
    /// `text` returns the line; it is called on another thread until the destructor returns.
    ProgressLine(std::function<std::string()> text, bool isQuiet);

private:
    std::jthread m_thread;
};

} // namespace helio
