#include "core/correlation/correlator_registry.h"

#include "core/analysis/track_view.h"

#include <algorithm>
#include <string>

namespace helio {

std::span<const TrackView> Correlator::views() const { return {}; }

InterTraceLinks Correlator::linksOn(const Timeline&, const Correlation& found) const { return found.links; }

std::shared_ptr<const CorrelatorRegistry> CorrelatorRegistry::builtin()
{
    static const std::shared_ptr<const CorrelatorRegistry> all = [] {
        auto made = std::make_shared<CorrelatorRegistry>();
        for (const BuiltinCorrelator* item : builtinCorrelators())
            made->m_kinds.push_back(item->make());
        return made;
    }();
    return all;
}

Status CorrelatorRegistry::add(std::shared_ptr<const Correlator> kind)
{
    if (find(kind->id()))
        return Error{Error::Kind::Unsupported, "correlator \"" + std::string(kind->id()) + "\": the name is already used"};
    m_kinds.push_back(std::move(kind));
    return Done{};
}

std::optional<std::size_t> CorrelatorRegistry::find(std::string_view id) const
{
    const auto found = std::ranges::find_if(m_kinds, [id](const auto& kind) { return kind->id() == id; });
    return found != m_kinds.end() ? std::optional(static_cast<std::size_t>(found - m_kinds.begin())) : std::nullopt;
}

} // namespace helio
