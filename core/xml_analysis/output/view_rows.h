#pragma once

#include "core/xml_analysis/output/any_values.h"
#include "core/xml_analysis/output/path_watch.h"
#include "core/xml_analysis/output/view_attributes.h"
#include "core/xml_analysis/running/attribute_marks.h"
#include "core/xml_analysis/running/attribute_tree.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio::xml {

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
        m_attributes.onChange(attribute, value);
        if (m_used.has(attribute))
            takeAll(from, attribute, value);
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
    void use(const std::optional<ViewAttribute>& attribute, Row& row, Use::Kind kind);
    void takeAll(HostTimestamp from, Quark attribute, const Value& value);
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
    ViewAttributes m_attributes;
    AnyValues& m_values;
    StateSink& m_sink;
    StateSetId m_states;
    StateSetId m_labelledStates; ///< Used by entries with bars that show their value.
    std::map<std::int32_t, DefinedState> m_statesByNumber;
    std::map<double, DefinedState> m_statesByFraction;
    std::map<std::string, DefinedState, std::less<>> m_statesByText;
    std::deque<Row> m_rows;
    std::unordered_map<Quark, std::vector<Use>> m_uses;
    AttributeMarks m_used; ///< Attributes in m_uses.
    std::map<std::string, int> m_keys; ///< Number of rows by key, which makes their keys unique.
};

} // namespace helio::xml
