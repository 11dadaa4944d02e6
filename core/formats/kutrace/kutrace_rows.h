#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace helio::kutrace {

/// Row of a timeline file: a CPU span (a time in which a CPU executes one kind of code), a wait, or a point event.
struct Row {
    std::int64_t begin = 0; ///< Time in ns since the start of the minute in which the recording began.
    std::int64_t duration = 0; ///< Duration in ns.
    std::int64_t arg = 0;
    std::int64_t result = 0;
    std::uint64_t offset = 0; ///< Offset in bytes of the row in the JSON text.
    std::int32_t cpu = -1; ///< Number of the CPU; -1 if the row belongs to no CPU.
    std::int32_t pid = -1; ///< Thread ID; 0 for the idle thread; -1 if the row belongs to no thread.
    std::int32_t rpc = 0; ///< ID of the remote procedure call on which the thread works; 0 if there is none.
    std::int32_t event = 0;
    std::uint32_t name = 0; ///< Index of the row's name in RowTexts.
    std::uint8_t ipc = 0; ///< KUtrace's code for the instructions per cycle, from 0 to 15.

    std::int64_t end() const { return begin + duration; }
};

/// Table of the names of rows. Equal names are stored once.
class RowTexts {
public:
    std::uint32_t indexOf(std::string_view text);
    std::string_view at(std::uint32_t index) const { return m_texts[index]; }

private:
    std::deque<std::string> m_texts;
    std::unordered_map<std::string_view, std::uint32_t> m_index;
};

/// Returns the JSON in a timeline file: `text` itself, or the JSON inside the HTML page that KUtrace's tool makeself wrote. Returns an
/// empty text if the page contains no JSON.
std::string_view timelineIn(std::string_view text);

/// Parts of a timeline file's JSON. findParts() locates them without parsing the JSON.
struct TimelineParts {
    std::string_view header; ///< Text from the opening brace to the member "events"; empty if the JSON is no timeline of KUtrace.
    std::size_t events = 0; ///< Position of the first character inside the array of rows.
};
TimelineParts findParts(std::string_view json);

/// Returns the names and values of the header's members whose values are texts or integers, in the order of the file. Returns an empty list
/// if the header is not valid JSON.
std::vector<std::pair<std::string, std::string>> parseHeader(std::string_view header);

/// Splits the JSON array of rows into the texts of its rows without parsing the array, so that truncated files can be read up to their end.
class RowSplitter {
public:
    RowSplitter(std::string_view json, std::size_t events)
        : m_text(json)
        , m_at(events)
    {
    }

    /// Sets `row` to the text of the next row, including its brackets, and `offset` to the row's position in the JSON text. Sets `row` to
    /// an empty text if the closing bracket is missing.
    /// Returns false at the end of the rows.
    bool next(std::string_view& row, std::size_t& offset);
    /// True if the text ends before the end of the array. Valid after next() returned false.
    bool isCut() const { return m_isCut; }

private:
    std::string_view m_text;
    std::size_t m_at;
    bool m_isCut = false;
};

/// Parses the JSON texts of single rows.
class RowParser {
public:
    explicit RowParser(RowTexts& texts);
    ~RowParser();
    RowParser(const RowParser&) = delete;
    RowParser& operator=(const RowParser&) = delete;

    /// Parses `text` into `row`. Returns false if `text` is not a row, or if one of its values is out of range. Requires: `text` does not
    /// overlap memory of the parser.
    bool parse(std::string_view text, Row& row);
    bool hasIpc() const { return m_hasIpc; } ///< True if the last row that was parsed had a field for instructions per cycle.

private:
    struct Json;
    RowTexts& m_texts;
    std::unique_ptr<Json> m_json;
    bool m_hasIpc = false;
};

} // namespace helio::kutrace
