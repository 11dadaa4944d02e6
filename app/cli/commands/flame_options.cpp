#include "app/cli/commands/flame_options.h"

#include "app/cli/selection/option_list.h"

namespace helio {

void FlameOptions::addTo(OptionList& options)
{
    table.addTo(options, SampleFilterHelp);
    samples.addEventTo(options, "Use samples of this event: cpu-clock, off-cpu, off-cpu:blocked, call:states, ...");
    samples.addWeightTo(options);
    tree.addTo(options);
    options.value("--title", title, "TEXT", "svg: title of the picture");
    options.value("--width", m_given.width, "N", "svg: width in pixels (default: 1200)");
    options.value("--colors", m_given.colors, "W", "svg: colour by module, code (kernel or user) or heat (default: module)");
    options.flag("--table", m_given.isTable, "Print a table of functions, like perf report");
    options.value("--group", m_given.group, "W", "With --table: group by function, module, file, line, thread or process");
    options.repeated("--with", with, "EVENT", "With --table: add columns for another event and its ratio to --event");
    samples.addInliningTo(options);
    table.format.addTo(options);
}

Status FlameOptions::read()
{
    const std::string& word = table.format.word;
    shows = word == "folded"                 ? Shows::Folded
        : word == "svg"                      ? Shows::Svg
        : word == "speedscope"               ? Shows::Speedscope
        : word == "table" || m_given.isTable ? Shows::Functions
                                             : Shows::Tree;
    return table.read([this] {
        return runInOrder([&] { return samples.read(); }, [&] { return tree.read(); }, [&] { return readTable(); },
                          [&] { return readPicture(); });
    });
}

Status FlameOptions::readTable()
{
    using Group = FunctionGroup;
    if (shows == Shows::Functions && tree.isInverted())
        return makeUsageError("--inverted", "a function table has no direction; select a part of it with --callers or --callees");
    if (shows == Shows::Functions && tree.hasOrder())
        return makeUsageError("--order", "a function table is always sorted by weight");
    const auto read = readChoice<Group>("--group", m_given.group.empty() ? "function" : m_given.group,
                                        {{"function", Group::Function},
                                         {"module", Group::Module},
                                         {"file", Group::File},
                                         {"line", Group::Line},
                                         {"thread", Group::Thread},
                                         {"process", Group::Process}});
    if (!read)
        return read.error();
    for (const auto& [option, isThere] : {std::pair("--group", !m_given.group.empty()), std::pair("--with", !with.empty())})
        if (isThere && shows != Shows::Functions)
            return makeUsageError(option, "only valid with --table");
    group = *read;
    return Done{};
}

Status FlameOptions::readPicture()
{
    constexpr std::int64_t Narrowest = 200;
    constexpr std::int64_t Widest = 100'000;
    for (const auto& [option, text] :
         {std::pair("--title", &title), std::pair("--width", &m_given.width), std::pair("--colors", &m_given.colors)})
        if (!text->empty() && shows != Shows::Svg)
            return makeUsageError(option, "only valid with --format svg");
    const auto pixels = m_given.width.empty() ? std::optional<std::int64_t>(width) : readNumber(m_given.width);
    if (!pixels || *pixels < Narrowest || *pixels > Widest)
        return makeUsageError("--width", "\"" + m_given.width + "\" is not a width in pixels from 200 to 100000");
    const auto colors =
        readChoice<FlameColoring>("--colors", m_given.colors.empty() ? "module" : m_given.colors,
                                  {{"module", FlameColoring::Module}, {"code", FlameColoring::Code}, {"heat", FlameColoring::Heat}});
    if (!colors)
        return colors.error();
    width = static_cast<std::uint32_t>(*pixels);
    coloring = *colors;
    return Done{};
}

} // namespace helio
