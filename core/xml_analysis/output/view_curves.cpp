#include "core/xml_analysis/output/view_curves.h"

#include "core/xml_analysis/output/tree_rows.h"

#include <algorithm>
#include <charconv>

namespace helio::xml {
namespace {

/// Returns the number that the text is; nullopt if it is no number.
std::optional<double> numberIn(std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

} // namespace

ViewCurves::ViewCurves(const View& view, const std::string& analysis, const AttributeTree& tree, PathWatch& paths, StateSink& sink)
    : m_view(view)
    , m_analysis(analysis)
    , m_tree(tree)
    , m_paths(paths)
    , m_attributes(tree, paths)
    , m_sink(sink)
{
    for (const ViewEntry& entry : view.entries)
        if (entry.analysis == analysis || (entry.analysis.empty() && std::ranges::find(view.analyses, analysis) != view.analyses.end()))
            m_paths.watch(Root, entry.path.empty() ? std::vector<std::string>{"*"} : entry.path, {},
                          [this](Quark attribute, const Wildcards&) { add(attribute); });
}

void ViewCurves::add(Quark attribute)
{
    Series& series = m_series.emplace_back();
    series.attribute = attribute;
    series.id = (m_view.analyses.size() > 1 ? m_analysis + "/" : "") + pathOf(m_tree, attribute);
    series.title = m_tree.label(attribute);
    use(m_view.entries.front().name, series, Part::Name);
    use(m_view.entries.front().display, series, Part::Display);
}

void ViewCurves::use(const std::optional<ViewAttribute>& attribute, Series& series, Part part)
{
    if (!attribute)
        return;
    m_attributes.watch(*attribute, series.attribute, [this, &series, part](Quark found, const Wildcards&) {
        m_uses[found].push_back({part, &series});
        m_used.set(found);
        if (const Value& value = m_tree.value(found); !value.isNull())
            take(m_tree.since(found), value, {part, &series});
    });
}

void ViewCurves::takeAll(HostTimestamp from, Quark attribute, const Value& value)
{
    const std::vector<Use>& uses = m_uses.find(attribute)->second;
    m_tree.effort().take(uses.size());
    for (const Use& use : uses)
        take(from, value, use);
}

void ViewCurves::take(HostTimestamp from, const Value& value, const Use& use)
{
    Series& series = *use.series;
    if (use.part == Part::Name) {
        if (!value.isNull() && !series.hasName)
            series.title = m_tree.texts().shown(value);
        series.hasName = series.hasName || !value.isNull();
        return;
    }
    if (!series.series) {
        if (value.isNull())
            return;
        series.isReal = value.type() == Type::Double || value.isText();
        CounterSeries made{m_view.id, m_view.id + "/" + series.id, series.title};
        made.kind = m_view.isDelta ? CounterSeries::Kind::Accumulating : CounterSeries::Kind::Gauge;
        made.number = series.isReal ? CounterNumber::Real : CounterNumber::Integer;
        const auto added = m_sink.counters().addSeries(made);
        if (!added)
            return;
        series.series = *added;
    }
    if (series.last && series.last->at < from)
        flush(series);
    series.last = {from, value};
}

void ViewCurves::flush(Series& series)
{
    const auto& [at, value] = *series.last;
    const auto ofText = value.isText() ? numberIn(m_tree.texts()[value.text()]) : std::nullopt;
    if (value.isInteger())
        m_sink.counters().addInteger(*series.series, at, value.integer());
    else
        m_sink.counters().addReal(*series.series, at, value.type() == Type::Double ? value.real() : ofText.value_or(0));
}

void ViewCurves::finish()
{
    for (Series& series : m_series)
        if (series.series && series.last)
            flush(series);
}

} // namespace helio::xml
