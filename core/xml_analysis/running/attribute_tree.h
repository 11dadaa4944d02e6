#pragma once

#include "core/base/flat_index.h"
#include "core/base/time.h"
#include "core/xml_analysis/running/step_budget.h"
#include "core/xml_analysis/running/texts.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace helio::xml {

/// Index of an attribute in its attribute tree.
using Quark = std::uint32_t;
constexpr Quark Root = 0;
constexpr Quark NoQuark = 0xffffffff;

/// Interface that receives the changes of an attribute tree.
class TreeListener {
public:
    virtual ~TreeListener() = default;
    virtual void onNew(Quark attribute) = 0;
    /// The attribute has `value` from the time `from` on. If `from` is the time at which the previous value was set, the new value replaces
    /// the previous one.
    virtual void onChange(HostTimestamp from, Quark attribute, const Value& value) = 0;
};

/// Attributes of an analysis with their current values. Attributes are never removed; an attribute that was never set is null.
/// Threads: to be used by one thread.
/// Cost: a few ns per step of a path.
class AttributeTree {
public:
    static constexpr std::size_t MostAttributes = 250'000;
    /// Maximum total size of all attributes' paths in bytes; rows are identified by these paths.
    static constexpr std::size_t MostPathBytes = std::size_t(128) << 20;

    /// `most` is the maximum number of attributes.
    /// Ownership: all arguments must outlive the tree.
    AttributeTree(Texts& texts, TreeListener& listener, StepBudget& effort, std::size_t most = MostAttributes);

    /// Sets the time from which attributes are null. Must be called before any attribute is created.
    void begin(HostTimestamp at) { m_begin = at; }

    /// Returns the child with the name, created if necessary; NoQuark if there are too many attributes. `shown` is the value that labels a
    /// new attribute for the user, if it differs from the name.
    Quark child(Quark parent, TextId name, const Value* shown = nullptr);
    Quark childNumbered(Quark parent, std::int64_t number) { return child(parent, m_texts.idOf(number)); }
    /// Returns the child with the name; NoQuark if there is no such child.
    Quark find(Quark parent, TextId name) const;

    const Value& value(Quark attribute) const { return m_nodes[attribute].value; }
    HostTimestamp since(Quark attribute) const { return m_nodes[attribute].since; }
    Quark parent(Quark attribute) const { return m_nodes[attribute].parent; }
    TextId name(Quark attribute) const { return m_nodes[attribute].name; }
    std::string label(Quark attribute) const; ///< Returns the attribute's name for the user.
    std::size_t count() const { return m_nodes.size(); }
    Quark firstChild(Quark attribute) const { return m_nodes[attribute].firstChild; }
    Quark nextSibling(Quark attribute) const { return m_nodes[attribute].nextSibling; }
    Texts& texts() const { return m_texts; }
    StepBudget& effort() const { return m_stepBudget; }

    /// Sets the value of an attribute from `at` on; does nothing if the value is equal to the current one. If `at` is before the time at
    /// which the current value was set, the current value is replaced.
    void set(HostTimestamp at, Quark attribute, const Value& value)
    {
        Node& node = m_nodes[attribute];
        if (node.value == value)
            return;
        node.value = value;
        if (at > node.since)
            node.since = at;
        m_listener.onChange(node.since, attribute, value);
    }
    /// Replaces the current value retroactively, from the time at which the current value was set.
    void update(Quark attribute, const Value& value);
    /// Sets the attribute and all its descendants to null.
    void remove(HostTimestamp at, Quark attribute);

    /// Stack operations. A stack is an attribute whose value is its depth (an int), with children "1" (the outermost value), "2" and so on.
    /// They return false, without a change, if the attribute is not a stack or the stack is too deep.
    bool push(HostTimestamp at, Quark stack, const Value& value);
    bool pop(HostTimestamp at, Quark stack);
    bool popAll(HostTimestamp at, Quark stack);
    /// Returns the innermost value of a stack; null if the stack is empty.
    Value top(Quark stack) const;

    std::size_t refused() const { return m_refused; } ///< Number of attributes that were not created because there were too many.

private:
    static constexpr std::int64_t MostDepth = 100'000;

    struct Node {
        Value value;
        HostTimestamp since = HostTimestamp::min();
        Quark parent = NoQuark;
        TextId name = 0;
        Quark firstChild = NoQuark;
        Quark lastChild = NoQuark;
        Quark nextSibling = NoQuark;
        std::uint32_t pathBytes = 0; ///< Size in bytes of the names from the root to the attribute.
    };

    Texts& m_texts;
    TreeListener& m_listener;
    StepBudget& m_stepBudget;
    const std::size_t m_most;
    HostTimestamp m_begin = HostTimestamp::min();
    std::vector<Node> m_nodes;
    std::unordered_map<Quark, Value> m_shown; ///< For attributes with a label other than their name: the value to show.
    FlatIndex m_index; ///< Index of the attributes except the root; an index is the quark minus 1.
    std::size_t m_pathBytes = 0;
    std::size_t m_refused = 0;
};

/// Set of watched attributes. It is checked at each change, before any slower lookup in a map.
/// Threads: to be used by one thread.
class AttributeMarks {
public:
    void set(Quark attribute)
    {
        if (attribute >= m_marks.size())
            m_marks.resize(std::size_t(attribute) * 2 + 16, 0);
        m_marks[attribute] = 1;
    }
    void clear(Quark attribute) { m_marks[attribute] = 0; }
    bool has(Quark attribute) const { return attribute < m_marks.size() && m_marks[attribute] != 0; }

private:
    std::vector<char> m_marks;
};

} // namespace helio::xml
