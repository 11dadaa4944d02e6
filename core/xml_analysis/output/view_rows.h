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

/// The rows of a timeGraphView that show one analysis's tree. One thread.
///
/// A row's id is the path of the attribute that its entry leads to, its label what "name" says first, else that attribute's own name. A
/// value that the view defines is a state, called and coloured as it says; others are states called as themselves, coloured by that.
class ViewRows {
public:
    /// All of them outlive it. `analysis`: the tree's.
    ViewRows(const View& view, const std::string& analysis, const AttributeTree& tree, PathWatch& paths, AnyValues& values,
             StateSink& sink);

    void onChange(HostTimestamp from, Quark attribute, const Value& value)
    {
        m_attributes.onChange(attribute, value);
        if (m_used.has(attribute))
            takeAll(from, attribute, value);
    }
    /// Rows are put below their parents and into order.
    void finish();

private:
    struct Row {
        const ViewEntry* entry = nullptr;
        Row* above = nullptr; ///< In the file's order of entries.
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
    /// What an attribute is of a row.
    struct Use {
        enum class Kind { Display, Name, Id, Parent } kind;
        Row* row;
    };
    /// What is defined of a value.
    struct Look {
        const DefinedValue* defined = nullptr;
        std::optional<State> state; ///< Once it was seen, if there was room.
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
    Look* lookOf(const Value& value);
    StateKind kindOf(const Look& look) const;
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
    StateSetId m_labelledStates; ///< Of entries whose bars say their values.
    std::map<std::int32_t, Look> m_looksOfNumbers;
    std::map<double, Look> m_looksOfFractions;
    std::map<std::string, Look, std::less<>> m_looksOfTexts;
    std::deque<Row> m_rows;
    std::unordered_map<Quark, std::vector<Use>> m_uses;
    AttributeMarks m_used; ///< Those in m_uses.
    std::map<std::string, int> m_keys; ///< How many rows have the same attribute.
};

} // namespace helio::xml
