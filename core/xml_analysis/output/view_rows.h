#pragma once

#include "core/store/store.h"
#include "core/xml_analysis/output/path_watch.h"
#include "core/xml_analysis/output/tree_rows.h"
#include "core/xml_analysis/running/attribute_tree.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio::xml {

/// Finds the attributes that a view reads: those with constant names, and those with the value of another attribute as their last name (a
/// query). The first value that is an integer or a text is the name; later values do not count, because a row does not become another row.
/// Threads: to be used by one thread.
class ViewAttributes {
public:
    /// Ownership: both arguments outlive the object.
    ViewAttributes(const AttributeTree& tree, PathWatch& paths)
        : m_tree(tree)
        , m_paths(paths)
    {
    }

    /// Calls `found` for the attribute seen from `base`, at once or later.
    /// Ownership: `attribute` outlives the object.
    void watch(const ViewAttribute& attribute, Quark base, PathWatch::Found found);
    /// Called when an attribute gets another value.
    void onChange(Quark attribute, const Value& value)
    {
        if (m_isAsked.has(attribute))
            takeName(attribute, value);
    }

private:
    struct Waiting {
        const ViewAttribute* attribute;
        Quark base;
        PathWatch::Found found;
    };
    static bool isName(const Value& value) { return value.isInteger() || value.isText(); }
    void goOn(const Waiting& waiting, const Value& name);
    void takeName(Quark attribute, const Value& value);

    const AttributeTree& m_tree;
    PathWatch& m_paths;
    std::unordered_map<Quark, std::vector<Waiting>> m_waiting; ///< Watches that wait for a value, by attribute.
    AttributeMarks m_isAsked; ///< Attributes in m_waiting.
};

/// Attributes that a view's rows or series read, each for a number of uses.
/// Threads: to be used by one thread.
template <typename Use> class AttributeUses {
public:
    /// Ownership: both arguments outlive the object.
    AttributeUses(const AttributeTree& tree, PathWatch& paths)
        : m_tree(tree)
        , m_attributes(tree, paths)
    {
    }

    /// Calls `take` with the value that the attribute seen from `base` has. Does nothing without an attribute.
    template <typename Take> void add(const std::optional<ViewAttribute>& attribute, Quark base, Use use, const Take& take)
    {
        if (!attribute)
            return;
        m_attributes.watch(*attribute, base, [this, use, take](Quark found, const Wildcards&) {
            m_uses[found].push_back(use);
            m_used.set(found);
            if (const Value& value = m_tree.value(found); !value.isNull())
                take(m_tree.since(found), value, use);
        });
    }
    /// Calls `take` for each use of an attribute that gets another value.
    template <typename Take> void onChange(HostTimestamp from, Quark attribute, const Value& value, const Take& take)
    {
        m_attributes.onChange(attribute, value);
        if (!m_used.has(attribute))
            return;
        const std::vector<Use>& uses = m_uses.find(attribute)->second;
        m_tree.effort().take(uses.size());
        for (const Use& use : uses)
            take(from, value, use);
    }

private:
    const AttributeTree& m_tree;
    ViewAttributes m_attributes;
    std::unordered_map<Quark, std::vector<Use>> m_uses;
    AttributeMarks m_used; ///< Attributes in m_uses.
};

/// Writes the rows of a timeGraphView for one analysis's tree.
///
/// A row's id is the path of the attribute that the row's entry leads to. Its label is the first value of the entry's "name", else that
/// attribute's own name. A value that the view defines is a state with the defined name and colour. Other values are named and coloured by
/// the value itself.
/// Threads: to be used by one thread.
class ViewRows {
public:
    /// `analysis` is the id of the tree's analysis.
    /// Ownership: the other arguments outlive the object.
    ViewRows(const View& view, const std::string& analysis, const AttributeTree& tree, PathWatch& paths, AnyValues& values,
             StateSink& sink);

    void onChange(HostTimestamp from, Quark attribute, const Value& value)
    {
        m_uses.onChange(from, attribute, value, [this](HostTimestamp at, const Value& now, const Use& use) { take(at, now, use); });
    }
    /// Sorts the rows and moves them below their parents.
    void finish();

private:
    struct Row {
        const ViewEntry* entry = nullptr;
        Row* above = nullptr; ///< Row of the enclosing entry; nullptr at the top.
        Quark attribute = NoQuark;
        TrackId track = NoTrack;
        std::string label;
        std::string id;
        std::string parentId;
        bool hasName = false;
        bool hasId = false;
        bool hasParent = false;
        bool hasStates = false;
    };
    /// Role of an attribute for a row.
    struct Use {
        enum class Kind { Display, Name, Id, Parent } kind;
        Row* row;
    };
    /// Definition and state of a value.
    struct DefinedState {
        const DefinedValue* defined = nullptr;
        std::optional<State> state; ///< Set when the value was seen, if the store had room for the state.
        bool isKnown = false;
    };

    void watch(const std::vector<ViewEntry>& entries, Quark base, const Wildcards& wildcards, Row* above);
    void addRow(const ViewEntry& entry, Quark attribute, const Wildcards& wildcards, Row* above);
    void take(HostTimestamp from, const Value& value, const Use& use);
    void takeText(const Value& value, bool& has, std::string& text);
    TrackId trackOf(Row& row);
    void show(HostTimestamp from, const Value& value, Row& row);
    DefinedState* findDefinedState(const Value& value);
    StateKind kindOf(const DefinedState& look) const;
    bool isOwn(const ViewEntry& entry, const Row* above) const
    {
        const bool isOfHead = above || std::ranges::find(m_view.analyses, m_analysis) != m_view.analyses.end();
        return entry.analysis.empty() ? isOfHead : entry.analysis == m_analysis;
    }

    const View& m_view;
    const std::string m_analysis;
    const AttributeTree& m_tree;
    PathWatch& m_paths;
    AttributeUses<Use> m_uses;
    AnyValues& m_values;
    StateSink& m_sink;
    StateSetId m_states;
    StateSetId m_labelledStates; ///< Used by entries with bars that show their value.
    std::map<std::int32_t, DefinedState> m_statesByNumber;
    std::map<double, DefinedState> m_statesByFraction;
    std::map<std::string, DefinedState, std::less<>> m_statesByText;
    std::deque<Row> m_rows;
    std::map<std::string, int> m_keys; ///< Number of rows by key, which makes their keys unique.
};

/// Writes the series of an xyView for one analysis's tree: one series for each attribute that the view's entry leads to. A value that
/// becomes null counts as 0, and so does a text that is no number.
/// Threads: to be used by one thread.
class ViewCurves {
public:
    /// Ownership: all arguments outlive the object.
    ViewCurves(const View& view, const std::string& analysis, const AttributeTree& tree, PathWatch& paths, StateSink& sink);

    void onChange(HostTimestamp from, Quark attribute, const Value& value)
    {
        m_uses.onChange(from, attribute, value, [this](HostTimestamp at, const Value& now, const Use& use) { take(at, now, use); });
    }

    void finish();

private:
    /// Last value of a series. It is written when the time advances, because the last value at a time counts.
    struct Point {
        HostTimestamp at;
        Value value;
    };
    struct Series {
        Quark attribute = NoQuark;
        std::string id;
        std::string title;
        std::optional<CounterSeriesId> series; ///< Set when the series has a value.
        bool isReal = false;
        bool hasName = false; ///< True after the first value of an attribute became the title; later values are ignored.
        std::optional<Point> last;
    };
    enum class Part { Display, Name };
    struct Use {
        Part part;
        Series* series;
    };

    void add(Quark attribute);
    void flush(Series& series);
    void take(HostTimestamp from, const Value& value, const Use& use);

    const View& m_view;
    const std::string m_analysis;
    const AttributeTree& m_tree;
    PathWatch& m_paths;
    AttributeUses<Use> m_uses;
    StateSink& m_sink;
    std::deque<Series> m_series;
};

} // namespace helio::xml
