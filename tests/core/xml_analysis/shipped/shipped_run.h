#pragma once

// Runs the shipped XML analyses over small traces that a test writes, and over recorded traces.

#include "core/experiment/trace_indexer.h"
#include "core/xml_analysis/catalog.h"
#include "tests/core/xml_analysis/declared_run.h"
#include "tests/support/indexed.h"

#include <QString>

#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace helio::test {

/// Returns the text of a shipped analysis file; empty if there is no file with the id.
inline std::string_view shippedText(std::string_view id)
{
    for (const EmbeddedFile& file : xml::builtinFiles())
        if (file.name == std::string(id) + ".xml")
            return file.text;
    return {};
}

/// Returns the analysis of a file's text; nullptr if the text has no usable analysis.
inline std::shared_ptr<const xml::XmlAnalysisKind> kindOf(std::string_view text)
{
    const xml::AnalysisFile file{"test.xml", xml::AnalysisOrigin::Builtin, std::string(text), xml::readFile(text)};
    for (const auto& it : xml::listAnalyses({file}, *Analyses::builtin()))
        if (it.kind)
            return it.kind;
    return nullptr;
}

inline HostRange allTimes() { return {HostTimestamp::min(), HostTimestamp::max()}; }

/// Finds the first trace in or below the folder to which all analyses in `kinds` apply, and returns its stores of these analyses, in the
/// order of `kinds`. Empty if there is no such trace.
inline std::vector<std::shared_ptr<const Store>> storesOf(const QString& path, const std::vector<const AnalysisKind*>& kinds)
{
    for (const TraceFormat* format : builtinTraceFormats())
        for (const TraceSource& source : format->find(path.toStdString())) {
            const auto trace = format->open(source);
            if (!trace || !std::ranges::all_of(kinds, [&](const AnalysisKind* kind) { return kind->appliesTo(**trace); }))
                continue;
            const auto made = indexed(**trace, kinds);
            return made ? made->stores : std::vector<std::shared_ptr<const Store>>();
        }
    return {};
}

/// Returns the store of a shipped analysis, which runs only on traces of the type that its file names; nullptr if there is no such trace.
inline std::shared_ptr<const Store> shippedStore(std::string_view id, const QString& path)
{
    const auto kind = kindOf(shippedText(id));
    const auto stores = kind ? storesOf(path, {kind.get()}) : std::vector<std::shared_ptr<const Store>>();
    return stores.empty() ? nullptr : stores.front();
}

struct PatternSegment {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::string name;
    std::map<std::string, std::string> fields;

    std::int64_t length() const { return end - begin; }
    std::string field(const std::string& of) const
    {
        const auto found = fields.find(of);
        return found != fields.end() ? found->second : std::string();
    }
};

/// Returns all segments of a store, ordered by start; field values are unescaped.
inline std::vector<PatternSegment> segmentsOf(const Store& store)
{
    std::vector<PatternSegment> all;
    const auto take = [&](std::span<const HostSegment> some) {
        for (const HostSegment& it : some) {
            PatternSegment& made = all.emplace_back();
            made.begin = nanoseconds(it.begin);
            made.end = nanoseconds(it.end);
            made.name = store.text(it.name);
            const QString text = QString::fromUtf8(store.text(StringId{static_cast<std::uint32_t>(it.value)}));
            for (const QString& field : text.split(';', Qt::SkipEmptyParts))
                made.fields[field.section('=', 0, 0).toStdString()] = field.section('=', 1).toStdString();
        }
    };
    for (std::size_t i = 0; i < store.segments().kinds().size(); ++i)
        store.segments().visit(SegmentKindId(static_cast<std::uint8_t>(i)), allTimes(), take);
    return all;
}

struct Sum {
    int count = 0;
    std::int64_t total = 0;
    std::int64_t longest = 0;
    void add(std::int64_t length)
    {
        ++count;
        total += length;
        longest = std::max(longest, length);
    }
};
/// Formats a sum as text: "144, 213362147 ns, at most 20719822".
inline QString described(const Sum& sum) { return QString("%1, %2 ns, at most %3").arg(sum.count).arg(sum.total).arg(sum.longest); }

template <typename Wanted> Sum sumOf(const std::vector<PatternSegment>& segments, Wanted wanted)
{
    Sum sum;
    for (const PatternSegment& it : segments)
        if (wanted(it))
            sum.add(it.length());
    return sum;
}
inline Sum sumOf(const std::vector<PatternSegment>& segments)
{
    return sumOf(segments, [](const PatternSegment&) { return true; });
}

/// Returns the total duration of each state of a row, by the state's name.
inline std::map<std::string, Sum> timesOf(const Store& store, std::string_view view, std::string_view key)
{
    std::map<std::string, Sum> times;
    for (std::size_t i = 0; i < store.tracks().size(); ++i) {
        const Track& track = store.tracks()[i];
        if (track.view != view || track.key != key)
            continue;
        for (const HostInterval& it : store.intervals(TrackId(static_cast<std::uint32_t>(i)), allTimes()))
            times[store.stateSets()[static_cast<std::size_t>(track.states)].states[static_cast<std::size_t>(it.state)].name].add(
                nanoseconds(it.range.end) - nanoseconds(it.range.begin));
    }
    return times;
}

} // namespace helio::test
