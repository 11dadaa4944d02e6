#pragma once

#include "core/xml_analysis/running/attribute_tree.h"

#include <vector>

namespace helio::xml {

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
