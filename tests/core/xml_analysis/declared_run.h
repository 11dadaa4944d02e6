#pragma once

// Runs an XML analysis over a small trace, both written in a test, and returns the results as text.

#include "core/store/any_value.h"
#include "core/xml_analysis/catalog.h"
#include "tests/core/analyses/kernel/kernel_script.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

/// Makes QCOMPARE print both texts if they differ.
template <> inline char* QTest::toString(const std::string& text) { return qstrdup(text.c_str()); }

namespace helio::test {

class DeclaredRun {
public:
    /// Runs the first analysis of the file, or the analysis `id` if given. `end` is the end of the trace; -1 for the time of its last
    /// event.
    DeclaredRun(std::string_view xml, KernelScript& script, std::string_view id = {}, std::int64_t end = -1)
        : m_script(script)
    {
        xml::AnalysisFile file{"test.xml", xml::AnalysisOrigin::Given, std::string(xml), xml::readFile(xml)};
        for (const xml::Problem& problem : file.content.problems)
            m_problems += textOf(problem, "test.xml") + "\n";
        if (!file.content.isUsable())
            return;
        for (const auto& it : xml::listAnalyses({file}, *Analyses::builtin()))
            if (it.kind && (id.empty() || it.id == id)) {
                m_id = it.id;
                script.run(end, KernelScript::Gaps::ReportedAtBegin, *it.kind);
                return;
            }
    }

    /// Returns the problems of the file, one per line.
    const std::string& problems() const { return m_problems; }

    /// Returns the diagnostics of the run, one per line.
    std::string complaints() const
    {
        std::string all;
        for (const Diagnostic& it : store().summary().anomalies)
            all += it.what + " x" + std::to_string(it.count) + "\n";
        return all;
    }

    /// Returns every attribute with its values, by path: "CPUs/0/Status: int 1 10-20, int 2 20-30"; only the path if the attribute never
    /// had a value.
    std::string tree() const { return m_problems + view(m_id); }
    /// Returns the values of one attribute, without its path.
    std::string attribute(std::string_view path) const { return lineOf(m_id, path); }

    /// Returns the rows of a view in the format of tree(), indented below their parents. A label is included if it is not the last name of
    /// the path.
    std::string view(std::string_view id) const
    {
        std::vector<std::string> lines;
        const auto tracks = store().tracks();
        for (std::size_t i = 0; i < tracks.size(); ++i)
            if (tracks[i].view == id)
                lines.push_back(tracks[i].key + labelOf(tracks[i]) + (tracks[i].intervals > 0 ? ": " : "")
                                + statesOf(TrackId(static_cast<std::uint32_t>(i))));
        std::ranges::sort(lines);
        std::string all;
        for (const std::string& line : lines)
            all += line + "\n";
        return all;
    }

    /// Returns the segments in order, one per line: "name 10-20 k=v;k=v".
    std::string segments() const
    {
        std::string all;
        const auto kinds = store().segments().kinds();
        for (std::size_t i = 0; i < kinds.size(); ++i)
            store().segments().visit(SegmentKindId(static_cast<std::uint8_t>(i)), {HostTimestamp::min(), HostTimestamp::max()},
                                     [&](std::span<const HostSegment> some) {
                                         for (const HostSegment& it : some) {
                                             const auto fields = store().text(StringId{static_cast<std::uint32_t>(it.value)});
                                             all += std::string(store().text(it.name)) + " " + std::to_string(nanoseconds(it.begin)) + "-"
                                                 + std::to_string(nanoseconds(it.end)) + (fields.empty() ? "" : " ") + std::string(fields)
                                                 + "\n";
                                         }
                                     });
        return all;
    }

    /// Returns the counter series, one per line: "id (title): 10 5, 20 7".
    std::string curves() const
    {
        std::string all;
        const auto series = store().counters().series();
        for (std::size_t i = 0; i < series.size(); ++i) {
            all += series[i].id + " (" + series[i].title + "):";
            store().counters().visit(CounterSeriesId(static_cast<std::uint32_t>(i)), {HostTimestamp::min(), HostTimestamp::max()},
                                     [&](std::span<const CounterPoint> some) {
                                         for (const CounterPoint& it : some)
                                             all += " " + std::to_string(nanoseconds(it.time)) + "="
                                                 + (series[i].number == CounterNumber::Integer ? std::to_string(it.value.integer())
                                                                                               : xml::printed(it.value.real()));
                                     });
            all += "\n";
        }
        return all;
    }

    /// Returns the values of a row's states as text, in time order: "1, run".
    std::string details(std::string_view view, std::string_view key) const
    {
        const auto tracks = store().tracks();
        std::string all;
        for (std::size_t i = 0; i < tracks.size(); ++i)
            if (tracks[i].view == view && tracks[i].key == key)
                for (const HostInterval& it :
                     store().intervals(TrackId(static_cast<std::uint32_t>(i)), {HostTimestamp::min(), HostTimestamp::max()}))
                    all += (all.empty() ? "" : ", ") + valueOf(it.value);
        return all;
    }

    const Store& store() const { return m_script.store(); }

private:
    static std::string labelOf(const Track& track) { return track.key.ends_with(track.label) ? std::string() : " \"" + track.label + "\""; }
    std::string lineOf(std::string_view view, std::string_view key) const
    {
        const auto tracks = store().tracks();
        for (std::size_t i = 0; i < tracks.size(); ++i)
            if (tracks[i].view == view && tracks[i].key == key)
                return statesOf(TrackId(static_cast<std::uint32_t>(i)));
        return "not there";
    }
    std::string statesOf(TrackId id) const
    {
        std::string all;
        const Track& track = store().tracks()[static_cast<std::size_t>(id)];
        for (const HostInterval& it : store().intervals(id, {HostTimestamp::min(), HostTimestamp::max()})) {
            const StateKind& kind = store().stateSets()[static_cast<std::size_t>(track.states)].states[static_cast<std::size_t>(it.state)];
            const bool hasValue = kind.style.has(StateFlag::NamedByValue);
            all += (all.empty() ? "" : ", ") + kind.name + (hasValue ? " " + valueOf(it.value) : "") + " "
                + std::to_string(nanoseconds(it.range.begin)) + "-" + std::to_string(nanoseconds(it.range.end));
        }
        return all;
    }
    std::string valueOf(std::uint32_t value) const
    {
        const std::uint32_t index = AnyValue::indexOf(value);
        switch (AnyValue::kindOf(value)) {
        case AnyValue::Kind::Small: return std::to_string(AnyValue::numberOf(value));
        case AnyValue::Kind::Integer: return std::to_string(store().integer(index).value_or(-1));
        case AnyValue::Kind::Real: return xml::printed(store().real(index).value_or(-1));
        case AnyValue::Kind::Text: return std::string(store().text(StringId{index}));
        }
        return {};
    }

    KernelScript& m_script;
    std::string m_id;
    std::string m_problems;
};

} // namespace helio::test
