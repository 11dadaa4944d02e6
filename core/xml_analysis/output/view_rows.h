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

/// Finds the attributes that a view reads. All names on the path to an attribute are constant, except that the last name may be the
/// value of another attribute (a query). A query takes the first value that is an integer or a text; later values are ignored, so that a
/// row keeps its attribute.
/// Threads: to be used by one thread.
class ViewAttributes {
public:
    /// Ownership: both arguments must outlive the object.
    ViewAttributes(const AttributeTree& tree, PathWatch& paths)
        : m_tree(tree)
        , m_paths(paths)
    {
    }

    /// Calls `found` with the attribute that `attribute` refers to, relative to `base`: now, or once it exists.
    /// Ownership: `attribute` must outlive the object.
    void watch(const ViewAttribute& attribute, Quark base, PathWatch::Found found);
    /// Must be called when the value of an attribute changes.
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
    std::unordered_map<Quark, std::vector<Waiting>> m_waiting; ///< Watches that wait for the value of an attribute, by attribute.
    AttributeMarks m_isAsked; ///< The attributes in m_waiting, as a set for fast lookups.
};

/// Attributes whose values the rows or series of a view read. One attribute may have several uses.
/// Threads: to be used by one thread.
template <typename Use> class AttributeUses {
public:
    /// Ownership: both arguments must outlive the object.
    AttributeUses(const AttributeTree& tree, PathWatch& paths)
        : m_tree(tree)
        , m_attributes(tree, paths)
    {
    }

    /// Finds the attribute that `attribute` refers to, from `base` on; if it does not exist yet, waits until it is created. Then registers
    /// `use` for the attribute, so that onChange() reports its changes, and calls `take` with the attribute's current value unless the
    /// value is null. Does nothing if `attribute` is nullopt.
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
    /// Calls `take` for each use of an attribute whose value changes.
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
    AttributeMarks m_used; ///< The attributes in m_uses, as a set for fast lookups.
};

/// Writes the rows of a timeGraphView for the attribute tree of one analysis.
///
/// A row's id is the path of the attribute to which the row's entry leads. Its label is the first value of the entry's "name", else the
/// name of that attribute, after a number with what it numbers: "rank 0" for "Ranks/0". A value that the view defines is a state with the
/// defined name and colour. Other values get their name and colour from the value itself. Threads: to be used by one thread.
class ViewRows {
public:
    /// `analysis` is the id of the analysis to which the tree belongs.
    /// Ownership: the other arguments must outlive the object.
    ViewRows(const View& view, const std::string& analysis, const AttributeTree& tree, PathWatch& paths, AnyValues& values,
             StateSink& sink);

    void onChange(HostTimestamp from, Quark attribute, const Value& value)
    {
        m_uses.onChange(from, attribute, value, [this](HostTimestamp at, const Value& now, const Use& use) { take(at, now, use); });
    }
    /// Sorts the rows and sets their parent rows. Must be called after the last change.
    void finish();

private:
    struct Row {
        const ViewEntry* entry = nullptr;
        Row* above = nullptr; ///< Row of the enclosing entry; nullptr for top-level rows.
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
    /// Row that reads an attribute, and the attribute's role for this row.
    struct Use {
        enum class Kind { Display, Name, Id, Parent } kind;
        Row* row;
    };
    /// A value for which the view defines a name and a colour, and the state in which rows show this value.
    struct DefinedState {
        const DefinedValue* defined = nullptr;
        /// State of the value; set when the value occurs for the first time, if the store has space for the state.
        std::optional<State> state;
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
    StateSetId m_labelledStates; ///< State set for entries whose bars show their values.
    std::map<std::int32_t, DefinedState> m_statesByNumber;
    std::map<double, DefinedState> m_statesByFraction;
    std::map<std::string, DefinedState, std::less<>> m_statesByText;
    std::deque<Row> m_rows;
    std::map<std::string, int> m_keys; ///< Number of rows per key, used to make keys unique.
};

/// Writes the series of an xyView for the attribute tree of one analysis: one series for each attribute to which the view's entry leads. A
/// null value, or a text that is not a number, counts as 0.
/// Threads: to be used by one thread.
class ViewCurves {
public:
    /// Ownership: all arguments must outlive the object.
    ViewCurves(const View& view, const std::string& analysis, const AttributeTree& tree, PathWatch& paths, StateSink& sink);

    void onChange(HostTimestamp from, Quark attribute, const Value& value)
    {
        m_uses.onChange(from, attribute, value, [this](HostTimestamp at, const Value& now, const Use& use) { take(at, now, use); });
    }

    void finish();

private:
    /// Last value of a series. It is written only when the time advances, because only the last value at each time counts.
    struct Point {
        HostTimestamp at;
        Value value;
    };
    struct Series {
        Quark attribute = NoQuark;
        std::string id;
        std::string title;
        std::optional<CounterSeriesId> series; ///< Series in the store; set once the attribute has a value.
        bool isReal = false;
        bool hasName = false; ///< True if the title was set by the first value of an attribute; later values are ignored.
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
