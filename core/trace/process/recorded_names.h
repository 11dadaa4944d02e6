#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// A place in code as a recording names it.
struct RecordedName {
    std::string_view function; ///< Empty: the recording gives no name.
    std::optional<std::uint64_t> offset; ///< Bytes from the function's begin; empty: not recorded.
    bool isInlined = false; ///< Its code was copied into the next frame's.
};

/// Names that came with a recording: texts of other tools hold no addresses to look up, or none that mean anything elsewhere. An address in
/// a module that has them is a number of theirs.
///
/// Owner:   its modules. Threads: any at once, once it is filled.
class RecordedNames {
public:
    /// The number of the new place.
    std::uint64_t add(const RecordedName& name)
    {
        m_places.push_back({m_text.size(), static_cast<std::uint32_t>(name.function.size()), name.isInlined, name.offset});
        m_text += name.function;
        return m_places.size() - 1;
    }

    /// Nothing for a number that was not given. Valid until the next add().
    RecordedName at(std::uint64_t number) const
    {
        if (number >= m_places.size())
            return {};
        const Place& place = m_places[number];
        return {std::string_view(m_text).substr(place.begin, place.size), place.offset, place.isInlined};
    }

private:
    struct Place {
        std::size_t begin;
        std::uint32_t size;
        bool isInlined;
        std::optional<std::uint64_t> offset;
    };
    std::string m_text;
    std::vector<Place> m_places;
};

} // namespace helio
