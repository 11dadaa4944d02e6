#pragma once

#include "core/profiling/samples/call_tree.h"

#include <array>
#include <functional>
#include <string>
#include <string_view>

namespace helio {

// Writers of call trees in the formats of other tools. They pass chunks of text to `write` and stop if it returns false.

using TextSink = std::function<bool(std::string_view)>;

/// Returns a function's name for folded stacks. Semicolons and line ends, which separate folded stacks, become ':' and ' '.
std::string foldedName(const std::string& name);

/// Writes folded stacks, the input format of FlameGraph: "matinit;main;initprm_ 940". Each node with samples of its own gives a line; the
/// lines are sorted as text.
void writeFolded(const CallTree& tree, WeightBy by, const TextSink& write);

struct SvgOptions {
    std::string title;
    std::string subtitle;
    std::uint32_t width = 1200; ///< Width of the picture in pixels.
    /// Minimum width of a frame in pixels. Narrower frames are not drawn; a text in the picture gives the number of frames left out.
    double narrowest = 0.1;
    bool isIcicle = false; ///< True if the root frame is at the top of the picture.
    /// True for a picture inside an HTML document: only the SVG element with its frames and legend, without title, script, zoom and search.
    bool isPart = false;
};

using SvgColor = std::array<int, 3>; ///< Red, green and blue of a colour, from 0 to 255 each.

/// Colours and texts of the frames.
struct SvgStyle {
    std::string rootName;
    SvgColor ground{252, 251, 248};
    SvgColor text{0, 0, 0}; ///< Text colour on the background.
    SvgColor remark{102, 102, 102};
    std::function<SvgColor(std::uint32_t node)> fill;
    /// Returns true to draw a node's frame as an outline in the colour `fill`, with the colour of the background inside. If the
    /// function is empty, all frames are filled.
    std::function<bool(std::uint32_t node)> isOutlined;
    /// Returns a text for a node, shown at the right end of its frame if the frame is wide enough.
    std::function<std::string(std::uint32_t node)> saying;
    /// Returns a text for a node, shown after the node's name while the pointer is on its frame.
    std::function<std::string(std::uint32_t node)> words;
    std::vector<std::pair<SvgColor, std::string>> legend;
};
/// Writes an SVG picture with zoom and search in a browser. The picture is self-contained and loads nothing from files or the network.
void writeSvg(const CallTree& tree, WeightBy by, const SvgOptions& options, const SvgStyle& style, const TextSink& write);

/// Buffers text and passes it to a TextSink in chunks.
class ChunkedWriter {
public:
    explicit ChunkedWriter(const TextSink& write)
        : m_write(write)
    {
    }
    ~ChunkedWriter() { flush(); }
    std::string& text() { return m_text; }
    /// Returns false if the sink accepts no more text.
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

/// Appends `text`, escaped for XML. Bytes that are not UTF-8 and control characters, which XML cannot contain, become \xNN.
void appendXml(std::string& out, std::string_view text);

} // namespace helio
