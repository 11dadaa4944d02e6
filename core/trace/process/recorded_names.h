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
    std::string_view file{}; ///< Of source, where the function begins. Empty: not recorded.
    std::uint32_t line = 0; ///< From 1. 0: not recorded.
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
        const auto sizeOf = [](std::string_view text) { return static_cast<std::uint32_t>(text.size()); };
        m_places.push_back({m_text.size(), sizeOf(name.function), sizeOf(name.file), name.line, name.isInlined, name.offset});
        m_text += name.function;
        m_text += name.file;
        return m_places.size() - 1;
    }

    std::size_t size() const { return m_places.size(); }

    /// Nothing for a number that was not given. Valid until the next add().
    RecordedName at(std::uint64_t number) const
    {
        if (number >= m_places.size())
            return {};
        const Place& place = m_places[number];
        const std::string_view text(m_text);
        return {text.substr(place.begin, place.size), place.offset, place.isInlined, text.substr(place.begin + place.size, place.fileSize),
                place.line};
    }

private:
    struct Place {
        std::size_t begin;
        std::uint32_t size; ///< Of the function; the file follows.
        std::uint32_t fileSize;
        std::uint32_t line;
        bool isInlined;
        std::optional<std::uint64_t> offset;
    };
    std::string m_text;
    std::vector<Place> m_places;
};

} // namespace helio
