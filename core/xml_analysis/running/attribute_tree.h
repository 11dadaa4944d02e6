#pragma once

#include "core/base/flat_index.h"
#include "core/base/time.h"
#include "core/xml_analysis/running/step_budget.h"
#include "core/xml_analysis/running/texts.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace helio::xml {

/// Index of an attribute in its tree.
using Quark = std::uint32_t;
constexpr Quark Root = 0;
constexpr Quark NoQuark = 0xffffffff;

/// Receives the changes of a tree.
class TreeListener {
public:
    virtual ~TreeListener() = default;
    virtual void onNew(Quark attribute) = 0;
    /// The attribute has the value from `from` on. If `from` is the time at which it got the previous value, the new value replaces that
    /// one.
    virtual void onChange(HostTimestamp from, Quark attribute, const Value& value) = 0;
};

/// Attributes of an analysis with their current values. Attributes never vanish; an attribute that was never set is null.
/// Threads: to be used by one thread.
/// Cost: a few ns for each step of a path.
class AttributeTree {
public:
    static constexpr std::size_t MostAttributes = 250'000;
    /// Limit of the bytes of all attributes' paths together, because rows are identified by their paths.
    static constexpr std::size_t MostPathBytes = std::size_t(128) << 20;

    /// `most` is the maximum number of attributes.
    /// Ownership: all arguments outlive the tree.
    AttributeTree(Texts& texts, TreeListener& listener, StepBudget& effort, std::size_t most = MostAttributes);

    /// Sets the time from which attributes are null. Call it before any attribute is made.
    void begin(HostTimestamp at) { m_begin = at; }

    /// Returns the child with the name, and makes it if necessary; NoQuark if there are too many attributes. `shown` is the value that
    /// labels a new attribute for the user, if that differs from the name.
    Quark child(Quark parent, TextId name, const Value* shown = nullptr);
    Quark childNumbered(Quark parent, std::int64_t number) { return child(parent, m_texts.idOf(number)); }
    /// Returns NoQuark if there is no such child.
    Quark find(Quark parent, TextId name) const;

    const Value& value(Quark attribute) const { return m_nodes[attribute].value; }
    HostTimestamp since(Quark attribute) const { return m_nodes[attribute].since; }
    Quark parent(Quark attribute) const { return m_nodes[attribute].parent; }
    TextId name(Quark attribute) const { return m_nodes[attribute].name; }
    std::string label(Quark attribute) const; ///< The name as the user reads it.
    std::size_t count() const { return m_nodes.size(); }
    Quark firstChild(Quark attribute) const { return m_nodes[attribute].firstChild; }
    Quark nextSibling(Quark attribute) const { return m_nodes[attribute].nextSibling; }
    Texts& texts() const { return m_texts; }
    StepBudget& effort() const { return m_stepBudget; }

    /// Sets the value from `at` on; does nothing if the attribute already has it. If `at` lies before the time of the current value, the
    /// value replaces the current one.
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
    /// Replaces the current value from the time on at which the attribute got it.
    void update(Quark attribute, const Value& value);
    /// Sets the attribute and all attributes below it to null.
    void remove(HostTimestamp at, Quark attribute);

    /// Stack operations. A stack is an attribute with its depth (an int) as value and with children "1" (the outermost), "2" and so on.
    /// They return false, and change nothing, if the attribute is no stack or is too deep.
    bool push(HostTimestamp at, Quark stack, const Value& value);
    bool pop(HostTimestamp at, Quark stack);
    bool popAll(HostTimestamp at, Quark stack);
    /// Returns the innermost value; null if the stack is empty.
    Value top(Quark stack) const;

    std::size_t refused() const { return m_refused; } ///< Number of attributes that were not made because there were too many.

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
        std::uint32_t pathBytes = 0; ///< Bytes of the names from the root to the attribute.
    };

    Texts& m_texts;
    TreeListener& m_listener;
    StepBudget& m_stepBudget;
    const std::size_t m_most;
    HostTimestamp m_begin = HostTimestamp::min();
    std::vector<Node> m_nodes;
    std::unordered_map<Quark, Value> m_shown; ///< Values that label attributes instead of their names.
    FlatIndex m_index; ///< The root is not in it: indices are one lower than quarks.
    std::size_t m_pathBytes = 0;
    std::size_t m_refused = 0;
};

/// Set of attributes that are watched. It is asked at each change, before any map look-up.
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
