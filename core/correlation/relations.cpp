#include "core/correlation/relations.h"

#include "core/analysis/track_view.h"

#include <algorithm>
#include <string>

namespace helio {

std::span<const TrackView> RelationKind::views() const { return {}; }

CrossLinks RelationKind::linksOn(const Timeline&, const Relation& found) const { return found.links; }

std::shared_ptr<const Relations> Relations::builtin()
{
    static const std::shared_ptr<const Relations> all = [] {
        auto made = std::make_shared<Relations>();
        for (const BuiltinRelation* item : builtinRelations())
            made->m_kinds.push_back(item->make());
        return made;
    }();
    return all;
}

Status Relations::add(std::shared_ptr<const RelationKind> kind)
{
    if (find(kind->id()))
        return Error{Error::Kind::Unsupported, "relation \"" + std::string(kind->id()) + "\": there is another one of that name"};
    m_kinds.push_back(std::move(kind));
    return Done{};
}

std::optional<std::size_t> Relations::find(std::string_view id) const
{
    const auto found = std::ranges::find_if(m_kinds, [id](const auto& kind) { return kind->id() == id; });
    return found != m_kinds.end() ? std::optional(static_cast<std::size_t>(found - m_kinds.begin())) : std::nullopt;
}

} // namespace helio
