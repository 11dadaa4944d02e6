#include "core/xml_analysis/output/view_attributes.h"

#include <utility>

namespace helio::xml {

void ViewAttributes::watch(const ViewAttribute& attribute, Quark base, PathWatch::Found found)
{
    base = attribute.isAbsolute ? Root : base;
    if (attribute.query.empty())
        return m_paths.watchNames(base, attribute.names, std::move(found));
    m_paths.watchNames(Root, attribute.query, [this, waiting = Waiting{&attribute, base, std::move(found)}](Quark asked, const Wildcards&) {
        if (const Value& value = m_tree.value(asked); isName(value))
            return goOn(waiting, value);
        m_waiting[asked].push_back(waiting);
        m_isAsked.set(asked);
    });
}

void ViewAttributes::goOn(const Waiting& waiting, const Value& name)
{
    std::vector<std::string> names = waiting.attribute->names;
    names.push_back(m_tree.texts().printed(name));
    m_paths.watchNames(waiting.base, std::move(names), waiting.found);
}

void ViewAttributes::takeName(Quark attribute, const Value& value)
{
    if (!isName(value))
        return;
    const auto waiting = m_waiting.extract(attribute);
    m_isAsked.clear(attribute);
    m_tree.effort().take(waiting.mapped().size());
    for (const Waiting& it : waiting.mapped())
        goOn(it, value);
}

} // namespace helio::xml
