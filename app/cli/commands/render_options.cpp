#include "app/cli/commands/render_options.h"

#include "app/cli/selection/option_list.h"

#include <cmath>

namespace helio {

void RenderOptions::addTo(OptionList& options)
{
    sides.addTo(options);
    addTraces(options, traces);
    reading.addTo(options);
    selection.addTo(options, RowFilterHelp);
    options.value("--view", view, "V", "View ID (`heliograph views`), flame, or difference (of --a and --b)");
    samples.addEventTo(options, "Use samples of this event: cpu-clock, off-cpu, off-cpu:blocked, ...");
    samples.addWeightTo(options);
    tree.addTo(options);
    difference.addTo(options);
    samples.addInliningTo(options);
    options.value("-o,--output", output, "FILE", "Output file: .png or .svg");
    options.value("--size", m_given.size, "WxH", "Size in pixels before scaling (default: 1600 wide, as high as the rows)");
    options.value("--theme", m_given.theme, "NAME", "Theme: dark or light (default: dark)");
    options.value("--scale", scale, "N", "Scale factor, 0.25 to 8 (default: 1)");
}

std::string RenderOptions::missing() const
{
    if (isDifferenceGraph() && !sides.missing().empty())
        return sides.missing();
    if (!isDifferenceGraph() && traces.empty())
        return missingTrace(traces);
    if (view.empty())
        return "--view is missing; heliograph views TRACE... lists views of rows and counters; flame and difference "
               "are views, too";
    return output.empty() ? "-o FILE is missing" : "";
}

Status RenderOptions::read()
{
    return runInOrder([&] { return reading.read(); }, [&] { return samples.read(); }, [&] { return tree.read(); },
                      [&] { return difference.read(); }, [&] { return selection.read(); }, [&] { return readSize(); },
                      [&] { return readLook(); });
}

Status RenderOptions::readSize()
{
    constexpr int MaxPixels = 16'384; // Maximum width and height of a picture in pixels.
    isSizeChosen = !m_given.size.empty();
    if (!isSizeChosen)
        return Done{};
    const std::string_view text = m_given.size;
    const auto x = text.find('x');
    const auto wide = readNumber(text.substr(0, x));
    const auto high = x == std::string_view::npos ? std::nullopt : readNumber(text.substr(x + 1));
    if (!wide || !high || *wide < 1 || *high < 1 || *wide > MaxPixels || *high > MaxPixels)
        return makeUsageError("--size",
                              "\"" + m_given.size + "\" is not WIDTHxHEIGHT in pixels, each from 1 to " + std::to_string(MaxPixels));
    width = static_cast<int>(*wide);
    height = static_cast<int>(*high);
    return Done{};
}

Status RenderOptions::readLook()
{
    if (m_given.theme != "dark" && m_given.theme != "light")
        return makeUsageError("--theme", "\"" + m_given.theme + "\" is not a theme; there are dark and light");
    if (!std::isfinite(scale) || scale < 0.25 || scale > 8)
        return makeUsageError("--scale", "expected a number from 0.25 to 8");
    theme = m_given.theme == "light" ? Theme::Kind::Light : Theme::Kind::Dark;
    return Done{};
}

} // namespace helio
