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

/// A row of a timeline file: a span of a CPU, a wait, or a point event.
struct Row {
    std::int64_t begin = 0; ///< Time in ns since the start of the minute in which the recording began.
    std::int64_t duration = 0; ///< Duration in ns.
    std::int64_t arg = 0;
    std::int64_t result = 0;
    std::uint64_t offset = 0; ///< Position of the row in the text.
    std::int32_t cpu = -1; ///< -1 for rows that belong to no CPU.
    std::int32_t pid = -1; ///< Linux TID; 0 for the idle thread; -1 for rows that belong to no thread.
    std::int32_t rpc = 0; ///< Number of the remote procedure call that the thread works on; 0 for none.
    std::int32_t event = 0;
    std::uint32_t name = 0; ///< Index in RowTexts.
    std::uint8_t ipc = 0; ///< Code for the instructions per cycle, 0 to 15.

    std::int64_t end() const { return begin + duration; }
};

/// The different names in the rows of a file; each is stored once.
class RowTexts {
public:
    std::uint32_t indexOf(std::string_view text);
    std::string_view at(std::uint32_t index) const { return m_texts[index]; }

private:
    std::deque<std::string> m_texts;
    std::unordered_map<std::string_view, std::uint32_t> m_index;
};

/// Returns the JSON of a timeline file: the text itself, or the text in a page that KUtrace's makeself wrote. Empty if the page has none.
std::string_view timelineIn(std::string_view text);

/// The parts of a timeline file's JSON, which are found without parsing it.
struct TimelineParts {
    std::string_view header; ///< Members of the object before "events", with the opening brace. Empty if the text is no timeline.
    std::size_t events = 0; ///< Position of the first character in the array of rows.
};
TimelineParts findParts(std::string_view json);

/// Returns names and values of a header's members that are texts or integers, in order. Empty if the header is no JSON.
std::vector<std::pair<std::string, std::string>> parseHeader(std::string_view header);

/// Splits the array of rows into rows without parsing them, so that all rows before the end of a cut file can be read.
class RowSplitter {
public:
    RowSplitter(std::string_view json, std::size_t events)
        : m_text(json)
        , m_at(events)
    {
    }

    /// Sets `row` to the text of the next row, with its brackets, and `offset` to its position. `row` is empty if the row has no end.
    /// Returns false at the end of the rows.
    bool next(std::string_view& row, std::size_t& offset);
    /// True if the text ends before the end of the array. Valid after next() returned false.
    bool isCut() const { return m_isCut; }

private:
    std::string_view m_text;
    std::size_t m_at;
    bool m_isCut = false;
};

/// Parses rows.
class RowParser {
public:
    explicit RowParser(RowTexts& texts);
    ~RowParser();
    RowParser(const RowParser&) = delete;
    RowParser& operator=(const RowParser&) = delete;

    /// Returns false if the text is no row with values in their ranges. Requires: `text` does not overlap memory of the parser.
    bool parse(std::string_view text, Row& row);
    bool hasIpc() const { return m_hasIpc; } ///< True if the last row that was parsed had a field for instructions per cycle.

private:
    struct Json;
    RowTexts& m_texts;
    std::unique_ptr<Json> m_json;
    bool m_hasIpc = false;
};

} // namespace helio::kutrace
