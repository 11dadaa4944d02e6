#pragma once

#include "core/profiling/samples/call_tree.h"

#include <array>
#include <functional>
#include <string>
#include <string_view>

namespace helio {

// Call trees in the formats of other tools. `write` takes the text piece by piece; false from it ends the writing.

using TextSink = std::function<bool(std::string_view)>;

/// A function's name in folded stacks: semicolons and line ends, which part them, become ':' and ' '.
std::string foldedName(const std::string& name);

/// FlameGraph's format: "matinit;main;initprm_ 940", a line for each node with samples of its own, sorted as text.
void writeFolded(const CallTree& tree, WeightBy by, const TextSink& write);

struct SvgOptions {
    std::string title;
    std::string subtitle;
    std::uint32_t width = 1200; ///< Pixels.
    double narrowest = 0.1; ///< Pixels: narrower frames are left out, and their share is written instead.
    bool isIcicle = false; ///< Roots on top.
};

using SvgColor = std::array<int, 3>; ///< Red, green, blue: 0 to 255.

/// What frames look like and say.
struct SvgStyle {
    std::string rootName;
    SvgColor ground{252, 251, 248};
    SvgColor text{0, 0, 0}; ///< On the ground.
    SvgColor remark{102, 102, 102};
    std::function<SvgColor(std::uint32_t node)> fill;
    std::function<bool(std::uint32_t node)> isOutlined; ///< Only its outline is in its colour. Empty: none.
    std::function<std::string(std::uint32_t node)> saying; ///< At the right end of wide frames.
    std::function<std::string(std::uint32_t node)> words; ///< After the name, where the pointer is.
    std::vector<std::pair<SvgColor, std::string>> legend;
};
/// A picture that zooms and searches in a browser, on its own: no other file, nothing from the net.
void writeSvg(const CallTree& tree, WeightBy by, const SvgOptions& options, const SvgStyle& style, const TextSink& write);

} // namespace helio
