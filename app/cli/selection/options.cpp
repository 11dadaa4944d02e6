#include "app/cli/selection/options.h"

#include "core/plugin/plugin.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace helio {
namespace {

constexpr int MaxPixels = 16'384; ///< One side of a picture.

Error wrong(const std::string& option, const std::string& what) { return {Error::Kind::Usage, option + ": " + what}; }

/// The place of a text among those there are.
template <typename T>
Result<T> readChoice(const std::string& option, const std::string& text, std::initializer_list<std::pair<const char*, T>> choices)
{
    std::string names;
    for (const auto& [name, value] : choices) {
        if (text == name)
            return value;
        (names += names.empty() ? "" : ", ") += name;
    }
    return wrong(option, "\"" + text + "\" is none of " + names);
}

std::optional<std::int64_t> readNumber(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// What flame's svg looks like.
Status readPicture(const OptionTexts& texts, FlameOptions& flame)
{
    constexpr std::int64_t Narrowest = 200;
    constexpr std::int64_t Widest = 100'000;
    const bool isSvg = flame.format == FlameOptions::Format::Svg;
    for (const auto& [option, text] :
         {std::pair("--title", &texts.title), std::pair("--width", &texts.pixels), std::pair("--colors", &texts.colors)})
        if (!text->empty() && !isSvg)
            return wrong(option, "it is for the picture: --format svg");
    const auto width = texts.pixels.empty() ? std::optional<std::int64_t>(flame.width) : readNumber(texts.pixels);
    if (!width || *width < Narrowest || *width > Widest)
        return wrong("--width", "\"" + texts.pixels + "\" is no width in pixels from 200 to 100000");
    const auto coloring =
        readChoice<FlameColoring>("--colors", texts.colors.empty() ? "module" : texts.colors,
                                  {{"module", FlameColoring::Module}, {"code", FlameColoring::Code}, {"heat", FlameColoring::Heat}});
    if (!coloring)
        return coloring.error();
    flame.title = texts.title;
    flame.width = static_cast<std::uint32_t>(*width);
    flame.coloring = *coloring;
    return Done{};
}

Status readFlame(const OptionTexts& texts, FlameOptions& flame)
{
    using Base = CallTreeOptions::Base;
    using Order = CallTreeOptions::Order;
    using Shape = CallTreeOptions::Shape;
    using Format = FlameOptions::Format;
    const auto by = readChoice<WeightBy>("--by", texts.by.empty() ? "samples" : texts.by,
                                         {{"samples", WeightBy::Samples}, {"period", WeightBy::Weight}, {"time", WeightBy::Weight}});
    if (!by)
        return by.error();
    const auto base = readChoice<Base>(
        "--base", texts.base,
        {{"command", Base::Command}, {"process", Base::Process}, {"thread", Base::Thread}, {"cpu", Base::Cpu}, {"none", Base::None}});
    if (!base)
        return base.error();
    const auto order = readChoice<Order>("--order", texts.order.empty() ? "weight" : texts.order,
                                         {{"weight", Order::Weight}, {"name", Order::Name}, {"time", Order::FirstTime}});
    if (!order)
        return order.error();
    if (int(texts.isInverted) + int(!texts.callersOf.empty()) + int(!texts.calleesOf.empty()) > 1)
        return wrong("--inverted", "it excludes --callers and --callees, as they do each other");
    flame.format = texts.format == "folded"        ? Format::Folded
        : texts.format == "svg"                    ? Format::Svg
        : texts.format == "speedscope"             ? Format::Speedscope
        : texts.format == "table" || texts.isTable ? Format::Functions
                                                   : Format::Tree;
    if (flame.format == Format::Functions && texts.isInverted)
        return wrong("--inverted", "a table of functions has no direction; --callers and --callees choose a part of it");
    if (flame.format == Format::Functions && !texts.order.empty())
        return wrong("--order", "a table of functions is in the order of what they took");
    using Group = FunctionGroup;
    const auto group = readChoice<Group>("--group", texts.group.empty() ? "function" : texts.group,
                                         {{"function", Group::Function},
                                          {"module", Group::Module},
                                          {"file", Group::File},
                                          {"line", Group::Line},
                                          {"thread", Group::Thread},
                                          {"process", Group::Process}});
    if (!group)
        return group.error();
    for (const auto& [option, isThere] : {std::pair("--group", !texts.group.empty()), std::pair("--with", !texts.with.empty())})
        if (isThere && flame.format != Format::Functions)
            return wrong(option, "it is for the table: --table");
    flame.group = *group;
    flame.with = texts.with;
    flame.expandsInlined = !texts.noInline;
    flame.event = texts.event;
    flame.isIcicle = texts.isIcicle;
    if (const auto done = readPicture(texts, flame); !done)
        return done.error();
    CallTreeOptions& tree = flame.tree;
    tree.shape = texts.isInverted  ? Shape::Inverted
        : !texts.callersOf.empty() ? Shape::Callers
        : !texts.calleesOf.empty() ? Shape::Callees
                                   : Shape::TopDown;
    tree.function = texts.callersOf + texts.calleesOf;
    tree.by = *by;
    flame.isWeightChosen = !texts.by.empty();
    tree.base = *base;
    tree.order = *order;
    tree.collapsesRecursion = texts.collapsesRecursion;
    tree.hiddenFunctions = texts.hide;
    tree.hiddenModules = texts.hideModule;
    tree.focus = texts.focus;
    return Done{};
}

Result<LatencyOptions> readLatency(const OptionTexts& texts)
{
    constexpr unsigned MostBuckets = 100'000;
    using Output = LatencyOptions::Output;
    LatencyOptions latency;
    latency.kind = texts.of;
    if (texts.isList && texts.isHistogram)
        return wrong("--list", "it excludes --histogram");
    if (!texts.isHistogram && (texts.buckets || texts.isLogarithmic))
        return wrong(texts.isLogarithmic ? "--log" : "--buckets", "it is for --histogram");
    if (texts.buckets && *texts.buckets < 1)
        return wrong("--buckets", "there is one at least");
    if (texts.buckets && *texts.buckets > MostBuckets)
        return wrong("--buckets", "there are at most " + std::to_string(MostBuckets));
    latency.output = texts.isList ? Output::List : texts.isHistogram ? Output::Histogram : Output::Summary;
    latency.buckets = static_cast<std::uint32_t>(texts.buckets.value_or(latency.buckets));
    latency.isLogarithmic = texts.isLogarithmic;
    return latency;
}

Status readDifference(const OptionTexts& texts, DifferenceOptions& difference)
{
    using Per = DifferenceBasis::Per;
    using Of = DifferenceWidths::Of;
    const bool hasUnits = texts.unitsA != 1 || texts.unitsB != 1;
    const std::string perText = !texts.per.empty() ? texts.per : hasUnits ? "unit" : "process";
    const auto per =
        readChoice<Per>("--per", perText, {{"process", Per::Run}, {"share", Per::Share}, {"samples", Per::Samples}, {"unit", Per::Unit}});
    if (!per)
        return per.error();
    if (hasUnits && *per != Per::Unit)
        return wrong("--units-a, --units-b", "they are units of work; --per " + perText + " has none");
    if (texts.isOfDurations && texts.isOfAll)
        return wrong("--durations", "it is of one program's threads; --all has none");
    if (texts.isOfDurations && texts.isTable)
        return wrong("--durations", "it excludes --functions");
    const auto width = readChoice<Of>("--width", texts.width, {{"b", Of::B}, {"a", Of::A}, {"widest", Of::Widest}});
    if (!width)
        return width.error();
    const auto isUnits = [](double units) { return units >= 1e-6 && units <= 1e15; };
    if (!isUnits(texts.unitsA) || !isUnits(texts.unitsB))
        return wrong("--units-a, --units-b", "units of work are numbers above 0, from a millionth to 1e15");
    if (!texts.per.empty() || hasUnits)
        difference.basis = {*per, texts.unitsA, texts.unitsB};
    difference.widths = {*width, texts.keepsElided};
    difference.ofTotals = texts.ofTotals;
    difference.byRatio = texts.byRatio;
    difference.isOfAll = texts.isOfAll;
    difference.isOfDurations = texts.isOfDurations;
    return Done{};
}

/// Which formats there are is the command's: see formats.h.
Result<OutputFormat> readFormat(const OptionTexts& texts)
{
    if (texts.isJson && !texts.format.empty() && texts.format != "json")
        return wrong("--json", "--format " + texts.format + " says otherwise");
    if (texts.isJson || texts.format == "json")
        return OutputFormat::Json;
    return texts.format == "csv" ? OutputFormat::Csv : OutputFormat::Text;
}

Result<std::optional<TimeText>> readTime(const std::string& option, const std::string& text)
{
    if (text.empty())
        return std::optional<TimeText>();
    const auto time = parseTime(text);
    return time ? Result<std::optional<TimeText>>(*time) : wrong(option, time.error().what);
}

/// TRACE=NS, also with a unit: TRACE=-10us. The last = counts, since paths may hold some.
Status readOffset(const std::string& text, std::map<std::string, Duration>& offsets)
{
    const auto equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0)
        return wrong("--offset", "\"" + text + "\" is not TRACE=NANOSECONDS");
    std::string_view amount = std::string_view(text).substr(equals + 1);
    const auto unsignedAmount = amount.starts_with('+') ? amount.substr(1) : amount;
    const auto ns = readNumber(unsignedAmount);
    const auto duration = ns ? ns : parseDuration(amount);
    if (!duration)
        return wrong("--offset", "\"" + std::string(amount) + "\" is not a number of nanoseconds");
    offsets[text.substr(0, equals)] = Duration(*duration);
    return Done{};
}

/// WIDTHxHEIGHT.
Status readSize(const std::string& text, CommandOptions& options)
{
    const auto x = text.find('x');
    const auto width = readNumber(std::string_view(text).substr(0, x));
    const auto height = x == std::string::npos ? std::nullopt : readNumber(std::string_view(text).substr(x + 1));
    if (!width || !height || *width < 1 || *height < 1 || *width > MaxPixels || *height > MaxPixels)
        return wrong("--size", "\"" + text + "\" is not WIDTHxHEIGHT in pixels, each from 1 to " + std::to_string(MaxPixels));
    options.width = static_cast<int>(*width);
    options.height = static_cast<int>(*height);
    return Done{};
}

Status readPicture(const OptionTexts& texts, CommandOptions& options)
{
    options.isSizeChosen = !texts.size.empty();
    if (const auto done = options.isSizeChosen ? readSize(texts.size, options) : Status(Done{}); !done)
        return done;
    if (texts.theme != "dark" && texts.theme != "light")
        return wrong("--theme", "\"" + texts.theme + "\" is not a theme; there are dark and light");
    if (!std::isfinite(texts.scale) || texts.scale < 0.25 || texts.scale > 8)
        return wrong("--scale", "a number from 0.25 to 8 is needed");
    options.theme = texts.theme;
    options.scale = texts.scale;
    options.output = texts.output;
    return Done{};
}

Status readSelection(const OptionTexts& texts, CommandOptions& options)
{
    auto begin = readTime("--begin", texts.begin);
    auto end = readTime("--end", texts.end);
    if (!begin)
        return begin.error();
    if (!end)
        return end.error();
    options.begin = *begin;
    options.end = *end;
    if (!texts.filter.empty()) {
        auto filter = Expression::parse(texts.filter);
        if (!filter)
            return wrong("--filter", filter.error().what);
        options.filter = std::move(*filter);
    }
    if (const auto step = parseDuration(texts.step); step && *step > 0)
        options.step = Duration(*step);
    else if (!texts.step.empty())
        return wrong("--step", "\"" + texts.step + "\" is no duration above 0, as 10ms");
    options.row = texts.row;
    options.process = texts.process;
    options.thread = texts.thread;
    options.cpu = texts.cpu;
    options.host = texts.host;
    options.view = texts.view;
    return Done{};
}

/// The built-in analyses and those of the plug-ins. None are loaded but those that are named.
Status readPlugins(const std::vector<std::string>& files, ExperimentOptions& options)
{
    if (files.empty())
        return Done{};
    auto analyses = std::make_shared<Analyses>(*Analyses::builtin());
    for (const std::string& file : files) {
        const auto kinds = loadPlugin(file);
        if (!kinds)
            return wrong("--plugin", kinds.error().what);
        for (const auto& kind : *kinds)
            if (const auto added = analyses->add(kind); !added)
                return wrong("--plugin", file + ": " + added.error().what);
    }
    options.analyses = std::move(analyses);
    return Done{};
}

} // namespace

Result<CommandOptions> readOptions(const OptionTexts& texts)
{
    CommandOptions options;
    options.traces.assign(texts.traces.begin(), texts.traces.end());
    options.tracesA.assign(texts.tracesA.begin(), texts.tracesA.end());
    options.tracesB.assign(texts.tracesB.begin(), texts.tracesB.end());
    options.isQuiet = texts.isQuiet;
    options.count = texts.count;
    options.byType = texts.byType;
    options.isSummary = texts.isSummary;
    options.experiment.storeDirectory = texts.storeDirectory;
    options.experiment.synchronize = !texts.noSync;
    options.experiment.rebuild = texts.force;
    options.experiment.jobs = texts.jobs;
    for (const std::string& offset : texts.offsets)
        if (const auto done = readOffset(offset, options.experiment.offsets); !done)
            return done.error();
    if (const auto done = readPlugins(texts.plugins, options.experiment); !done)
        return done.error();
    options.experiment.symbols.directories.assign(texts.symbols.begin(), texts.symbols.end());
    options.symbol = texts.symbol;
    options.sources.directories.assign(texts.sourceDirectories.begin(), texts.sourceDirectories.end());
    options.experiment.symbols.kallsyms = texts.kallsyms;
    options.experiment.symbols.sysroot = texts.sysroot;
    options.experiment.symbols.asksDebuginfod = texts.asksDebuginfod;
    if (const auto done = readFlame(texts, options.flame); !done)
        return done.error();
    if (const auto done = readDifference(texts, options.difference); !done)
        return done.error();
    auto latency = readLatency(texts);
    if (!latency)
        return latency.error();
    options.latency = std::move(*latency);
    const auto format = readFormat(texts);
    if (!format)
        return format.error();
    options.format = *format;
    if (const auto done = readSelection(texts, options); !done)
        return done.error();
    if (const auto done = readPicture(texts, options); !done)
        return done.error();
    return options;
}

} // namespace helio
