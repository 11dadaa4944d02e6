#pragma once

#include "app/cli/output/redirection.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

/// A table that a command printed.
struct CapturedTable {
    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> rows; ///< The kept rows, in the order of the command, or sorted if CaptureLimits::sortedBy is set.
    std::uint64_t allRows = 0; ///< Number of rows that the command printed.
    TimeStyle times;

    bool isCut() const { return rows.size() < allRows; }
};

/// Bounds of what a capture keeps.
struct CaptureLimits {
    std::size_t mostRows = 1000; ///< Maximum number of rows of a table.
    /// Column whose largest values are kept, sorted from large to small. If empty, or if a table has no such column, the first rows are
    /// kept.
    std::string sortedBy{};
    std::size_t mostText = std::size_t(1) << 20; ///< Maximum length of the kept text in bytes.
    int pictureWidth = 1160; ///< Width of pictures in device-independent pixels.
    int tallestPicture = 1400; ///< Maximum height of pictures in device-independent pixels.
};

/// Keeps what commands print on its thread while it exists.
/// Memory: bounded by the limits.
/// Threads: to be used by the thread that created it.
class CommandCapture final : public OutputReceiver {
public:
    /// `stop` cancels the commands; a stop request to the receiver before is only seen if it is passed here.
    explicit CommandCapture(CaptureLimits limits = {}, std::stop_token stop = commandStop());
    CommandCapture(const CommandCapture&) = delete;
    CommandCapture& operator=(const CommandCapture&) = delete;

    /// Returns the capture of this thread; nullptr if the output goes elsewhere.
    static CommandCapture* current();

    const CaptureLimits& limits() const { return m_limits; }

    bool output(std::string_view text) override;
    void warning(const std::string& what) override;
    void failed(const Error& error) override;
    RowForm beginTable(const std::vector<std::string>& columns, const TimeStyle& times, bool canBeArrays) override;
    void row(const std::vector<Cell>& cells) override;
    void endTable() override;
    void picture(std::string_view bytes) override { m_picture = bytes; }
    std::stop_token stop() const override { return m_stop; }

    const std::vector<CapturedTable>& tables() const { return m_tables; }
    const std::string& text() const { return m_text; } ///< Text before the first table; all text if the command printed no table.
    const std::string& footnotes() const { return m_footnotes; } ///< Text after the first table.
    const std::vector<std::string>& messages() const { return m_messages; } ///< Warnings, the first 100, and errors, each once.
    /// Returns the reason why a command failed: its error, or else its last message; empty if it gave none.
    std::string failure() const;
    bool hasRunOutOfMemory() const { return m_hasRunOutOfMemory; } ///< True if the command failed because memory or a disk was full.
    const std::string& drawing() const { return m_picture; } ///< SVG document; empty if the command drew no picture.

private:
    void keepLargest();

    CaptureLimits m_limits;
    std::stop_token m_stop;
    OutputRedirection m_redirection{*this};
    std::vector<CapturedTable> m_tables;
    std::size_t m_sortColumn = SIZE_MAX; ///< Index of the column CaptureLimits::sortedBy in the last table; SIZE_MAX if it has none.
    std::string m_text;
    std::string m_footnotes;
    std::vector<std::string> m_messages;
    std::string m_failure; ///< First error; empty if there was none.
    bool m_hasRunOutOfMemory = false;
    std::string m_picture;
};

} // namespace helio
