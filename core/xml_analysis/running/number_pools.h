#pragma once

#include "core/xml_analysis/running/attribute_tree.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace helio::xml {

/// Numbered children of attributes, which scenarios own for a while.
class NumberPools {
public:
    explicit NumberPools(AttributeTree& tree)
        : m_tree(tree)
    {
    }

    /// Returns the free child with the smallest number, and makes one if none is free. NoQuark if there are too many attributes.
    Quark take(Quark base)
    {
        Pool& pool = m_pools[base];
        if (pool.free.empty())
            return m_tree.childNumbered(base, pool.made++);
        const Quark number = *pool.free.begin();
        pool.free.erase(pool.free.begin());
        return number;
    }
    /// Frees the child; all attributes below it become null.
    void giveBack(HostTimestamp at, Quark base, Quark number)
    {
        m_tree.remove(at, number);
        m_pools[base].free.insert(number);
    }

private:
    struct Pool {
        std::int64_t made = 0;
        std::set<Quark> free; ///< In the order in which they were made.
    };
    AttributeTree& m_tree;
    std::map<Quark, Pool> m_pools;
};

} // namespace helio::xml
