#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Function and source line of a code location, as the recording names them.
struct RecordedName {
    std::string_view function; ///< Function name; empty if not recorded.
    std::optional<std::uint64_t> offset; ///< Distance of the code from the function's first byte in bytes; nullopt if not recorded.
    bool isInlined = false; ///< True if the function was inlined into its caller.
    std::string_view file{}; ///< Source file in which the function begins; empty if not recorded.
    std::uint32_t line = 0; ///< Line of the code in `file`, from 1; 0 if not recorded.
};

/// Function names and source lines that the recording itself contains. Text formats of other tools have no addresses, or addresses that
/// belong to no available file. In modules of such recordings, the numbers that add() returns serve as addresses.
///
/// Ownership: shared by the modules of the trace.
/// Threads: any thread at once, after all names were added.
class RecordedNames {
public:
    /// Adds a code location and returns its number, which serves as its address.
    std::uint64_t add(const RecordedName& name)
    {
        const auto sizeOf = [](std::string_view text) { return static_cast<std::uint32_t>(text.size()); };
        m_places.push_back({m_text.size(), sizeOf(name.function), sizeOf(name.file), name.line, name.isInlined, name.offset});
        m_text += name.function;
        m_text += name.file;
        return m_places.size() - 1;
    }

    std::size_t size() const { return m_places.size(); }

    /// Returns the code location with this number; an empty one for an unknown number. Valid until the next add().
    RecordedName at(std::uint64_t number) const
    {
        if (number >= m_places.size())
            return {};
        const StoredName& place = m_places[number];
        const std::string_view text(m_text);
        return {text.substr(place.begin, place.size), place.offset, place.isInlined, text.substr(place.begin + place.size, place.fileSize),
                place.line};
    }

private:
    struct StoredName {
        std::size_t begin;
        std::uint32_t size; ///< Size of the function name in m_text; the file name follows it there.
        std::uint32_t fileSize;
        std::uint32_t line;
        bool isInlined;
        std::optional<std::uint64_t> offset;
    };
    std::string m_text;
    std::vector<StoredName> m_places;
};

} // namespace helio
