#pragma once

#include "core/base/flat_index.h"
#include "core/base/time.h"
#include "core/xml_analysis/running/effort.h"
#include "core/xml_analysis/running/texts.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace helio::xml {

/// An attribute: index in its tree.
using Quark = std::uint32_t;
constexpr Quark Root = 0;
constexpr Quark NoQuark = 0xffffffff;

/// Who writes down what happens in a tree.
class TreeListener {
public:
    virtual ~TreeListener() = default;
    virtual void onNew(Quark attribute) = 0;
    /// From `from` on the attribute has the value; `from` may be where it got the one before, which it then never had.
    virtual void onChange(HostTimestamp from, Quark attribute, const Value& value) = 0;
};

/// The attributes that an analysis keeps, with what they have now. Attributes never vanish; what was never set is null. One thread.
/// Cost: some ns a step.
class AttributeTree {
public:
    static constexpr std::size_t MostAttributes = 250'000;
    /// Of the names that lead to each of them, together: rows are known by those.
    static constexpr std::size_t MostPathBytes = std::size_t(128) << 20;

    /// All of them outlive it. `most`: attributes.
    AttributeTree(Texts& texts, TreeListener& listener, Effort& effort, std::size_t most = MostAttributes);

    /// What attributes are null from; before any is made.
    void begin(HostTimestamp at) { m_begin = at; }

    /// Made where it is not there; NoQuark where there are too many. `shown`: the value that it is called by where people read that
    /// otherwise; of one that is there already it changes nothing.
    Quark child(Quark parent, TextId name, const Value* shown = nullptr);
    Quark childNumbered(Quark parent, std::int64_t number) { return child(parent, m_texts.idOf(number)); }
    /// NoQuark: there is none.
    Quark find(Quark parent, TextId name) const;

    const Value& value(Quark attribute) const { return m_nodes[attribute].value; }
    HostTimestamp since(Quark attribute) const { return m_nodes[attribute].since; }
    Quark parent(Quark attribute) const { return m_nodes[attribute].parent; }
    TextId name(Quark attribute) const { return m_nodes[attribute].name; }
    std::string label(Quark attribute) const; ///< The name as people read it.
    std::size_t count() const { return m_nodes.size(); }
    Quark firstChild(Quark attribute) const { return m_nodes[attribute].firstChild; }
    Quark nextSibling(Quark attribute) const { return m_nodes[attribute].nextSibling; }
    Texts& texts() const { return m_texts; }
    Effort& effort() const { return m_effort; }

    /// From `at` on it has the value; the same as before: nothing happens. Before the value that it has began: in its place.
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
    /// What it has now is replaced, from where it has it.
    void update(Quark attribute, const Value& value);
    /// It and all below it become null.
    void remove(HostTimestamp at, Quark attribute);

    /// Stacks are attributes with their depth (an int), and children "1" (the outermost) and so on. Each answers whether it could; nothing
    /// has changed where it could not: the attribute is no stack, or too deep.
    bool push(HostTimestamp at, Quark stack, const Value& value);
    bool pop(HostTimestamp at, Quark stack);
    bool popAll(HostTimestamp at, Quark stack);
    /// Null where the stack is empty.
    Value top(Quark stack) const;

    std::size_t refused() const { return m_refused; } ///< Attributes that were too many.

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
        std::uint32_t pathBytes = 0; ///< Of the names from the root to it.
    };

    Texts& m_texts;
    TreeListener& m_listener;
    Effort& m_effort;
    const std::size_t m_most;
    HostTimestamp m_begin = HostTimestamp::min();
    std::vector<Node> m_nodes;
    std::unordered_map<Quark, Value> m_shown; ///< What attributes are called by whose labels are not their names.
    FlatIndex m_index; ///< The root is not in it: its indices are one lower.
    std::size_t m_pathBytes = 0;
    std::size_t m_refused = 0;
};

} // namespace helio::xml
