#pragma once

#include "core/store/links/link_index.h"
#include "core/store/store.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace helio {

/// Queries over blocks of links. Implements the link methods of Store.
class LinkQueries {
public:
    /// Function that appends the links of a block; none if the block is damaged.
    using Load = std::function<void(const LinkBlockEntry&, std::vector<Link>&)>;
    /// Function that returns the links of a block and may cache them, because the block is likely to be requested again soon.
    using Keep = std::function<std::shared_ptr<const std::vector<Link>>(const LinkBlockEntry&)>;

    LinkQueries(const LinkIndex& index, Load load, Keep keep)
        : m_index(index)
        , m_load(std::move(load))
        , m_keep(std::move(keep))
    {
    }

    std::vector<Link> inWindow(HostRange window, std::size_t limit, std::uint64_t* total, std::stop_token stop, std::uint32_t kinds) const;
    std::unique_ptr<LinkReader> parts(HostRange window, std::uint32_t kinds) const;
    std::vector<Link> next(TrackId track, HostTimestamp at, LinkFilter choice) const;
    std::vector<Link> previous(TrackId track, HostTimestamp at, LinkFilter choice) const;

private:
    bool mayTouch(const LinkBlockEntry& block, TrackId track, LinkFilter choice) const;

    const LinkIndex& m_index;
    Load m_load;
    Keep m_keep;
};

} // namespace helio
