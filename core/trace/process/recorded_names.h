#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// A code location as a recording names it.
struct RecordedName {
    std::string_view function; ///< Function name; empty if not recorded.
    std::optional<std::uint64_t> offset; ///< Bytes from the function's begin; nullopt if not recorded.
    bool isInlined = false; ///< True if the code was inlined into the caller's frame.
    std::string_view file{}; ///< Source file in which the function begins; empty if not recorded.
    std::uint32_t line = 0; ///< Line, from 1; 0 if not recorded.
};

/// Names that came with a recording: text formats of other tools hold no addresses, or none that are valid elsewhere. An address in a
/// module with recorded names is a number returned by add().
///
/// Ownership: shared by its modules.
/// Threads: any thread at once, once it is filled.
class RecordedNames {
public:
    /// Adds a code location and returns its number.
    std::uint64_t add(const RecordedName& name)
    {
        const auto sizeOf = [](std::string_view text) { return static_cast<std::uint32_t>(text.size()); };
        m_places.push_back({m_text.size(), sizeOf(name.function), sizeOf(name.file), name.line, name.isInlined, name.offset});
        m_text += name.function;
        m_text += name.file;
        return m_places.size() - 1;
    }

    std::size_t size() const { return m_places.size(); }

    /// Returns the code location; an empty one for an unknown number. Valid until the next add().
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
        std::uint32_t size; ///< Size of the function name; the file name follows it.
        std::uint32_t fileSize;
        std::uint32_t line;
        bool isInlined;
        std::optional<std::uint64_t> offset;
    };
    std::string m_text;
    std::vector<Place> m_places;
};

} // namespace helio
