#pragma once

#include "app/cli/interrupts.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Offer of the Tab key for the word before the cursor.
struct Completion {
    std::size_t begin = 0; ///< Offset of the word in the line.
    std::vector<std::string> candidates; ///< Texts that can replace the word, sorted.
};

/// Reads lines from a terminal with editing, history and completion, by libedit. The keys of ~/.editrc apply.
///
/// Requires: standard input and standard output are a terminal.
/// Threads: to be used by one thread.
class LineEditor {
public:
    using Complete = std::function<Completion(std::string_view lineBeforeCursor)>;
    enum class End : std::uint8_t {
        Line, ///< The user ended the line.
        Interrupt, ///< The user pressed Ctrl-C: the line is dropped.
        EndOfInput, ///< The user pressed Ctrl-D in an empty line, or the terminal is gone.
    };

    /// `historyFile` is read now and written by the destructor; an empty path keeps no history. Its folder is made if it is missing.
    LineEditor(std::filesystem::path historyFile, Complete complete, Interrupts& interrupts);
    ~LineEditor();
    LineEditor(const LineEditor&) = delete;
    LineEditor& operator=(const LineEditor&) = delete;

    /// Reads a line into `line`, without its end.
    End read(const char* prompt, std::string& line);
    void addToHistory(const std::string& entry);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace helio
