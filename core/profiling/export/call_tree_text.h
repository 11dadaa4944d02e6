#pragma once

#include "core/profiling/samples/call_tree.h"

#include <array>
#include <functional>
#include <string>
#include <string_view>

namespace helio {

// Writers of call trees in formats of other tools. They call `write` with parts of the text, and stop if it returns false.

using TextSink = std::function<bool(std::string_view)>;

/// Returns the name of a function for folded stacks: semicolons and line ends, which are separators there, become ':' and ' '.
std::string foldedName(const std::string& name);

/// Writes the format of FlameGraph: "matinit;main;initprm_ 940", a line for each node with samples of its own, sorted as text.
void writeFolded(const CallTree& tree, WeightBy by, const TextSink& write);

struct SvgOptions {
    std::string title;
    std::string subtitle;
    std::uint32_t width = 1200; ///< In pixels.
    double narrowest = 0.1; ///< In pixels; narrower frames are left out, and their share is written instead.
    bool isIcicle = false; ///< True if the roots are at the top.
};

using SvgColor = std::array<int, 3>; ///< Red, green, blue: 0 to 255 each.

/// Style and texts of the frames.
struct SvgStyle {
    std::string rootName;
    SvgColor ground{252, 251, 248};
    SvgColor text{0, 0, 0}; ///< Text colour on the background.
    SvgColor remark{102, 102, 102};
    std::function<SvgColor(std::uint32_t node)> fill;
    /// True if only the frame's outline has its colour. Empty: no frames have outlines.
    std::function<bool(std::uint32_t node)> isOutlined;
    std::function<std::string(std::uint32_t node)> saying; ///< Text at the right end of wide frames.
    std::function<std::string(std::uint32_t node)> words; ///< Text after the name when the pointer is on the frame.
    std::vector<std::pair<SvgColor, std::string>> legend;
};
/// Writes a picture that zooms and searches in a browser. It is self-contained: no other file, nothing from the network.
void writeSvg(const CallTree& tree, WeightBy by, const SvgOptions& options, const SvgStyle& style, const TextSink& write);

/// Buffers text and hands it to a TextSink in chunks.
class ChunkedWriter {
public:
    explicit ChunkedWriter(const TextSink& write)
        : m_write(write)
    {
    }
    ~ChunkedWriter() { flush(); }
    std::string& text() { return m_text; }
    /// Returns false if the sink wants no more text.
    bool flushIfFull() { return m_text.size() < 65536 || flush(); }
    bool flush()
    {
        if (m_wantsMore && !m_text.empty())
            m_wantsMore = m_write(m_text);
        m_text.clear();
        return m_wantsMore;
    }

private:
    const TextSink& m_write;
    std::string m_text;
    bool m_wantsMore = true;
};

/// Appends `text` escaped for XML. Bytes that are not UTF-8, and control characters, which XML cannot hold, appear as \xNN.
void appendXml(std::string& out, std::string_view text);

} // namespace helio
