#pragma once

#include <algorithm>
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
/// belong to no available file. In modules of such recordings, the numbers that add() returns serve as addresses. For code that was
/// compiled at run time, the recording has addresses: addCode() assigns a range of numbers to the code, one number for each byte.
///
/// Ownership: shared by the modules of the trace.
/// Threads: any thread at once, after all names were added.
class RecordedNames {
public:
    /// Adds a code location and returns its number, which serves as its address.
    std::uint64_t add(const RecordedName& name) { return addCode(name, 1); }

    /// Adds a range of `bytes` bytes of code (at least one) and returns the number of its first byte; the following bytes have the
    /// following numbers. The range begins RecordedName::offset bytes after the function's first byte.
    std::uint64_t addCode(const RecordedName& name, std::uint64_t bytes)
    {
        const Text previous = m_places.empty() ? Text{} : m_places.back().function;
        const Text previousFile = m_places.empty() ? Text{} : m_places.back().file;
        if (bytes > 1 && m_starts.empty())
            for (std::uint64_t i = 0; i < m_places.size(); ++i)
                m_starts.push_back(i);
        const std::uint64_t start = m_end;
        if (bytes > 1 || !m_starts.empty())
            m_starts.push_back(start);
        m_end += bytes;
        const Text function = keep(name.function, previous);
        m_places.push_back({function, keep(name.file, previousFile), name.line, name.isInlined, name.offset});
        return start;
    }

    std::size_t size() const { return m_places.size(); } ///< Number of code locations.
    std::size_t textBytes() const { return m_text.size(); } ///< Total size in bytes of the stored names of functions and files.

    /// Returns the code location with this number; an empty one for an unknown number. Valid until the next add().
    RecordedName at(std::uint64_t number) const
    {
        if (number >= m_end)
            return {};
        const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), number);
        const std::uint64_t index = m_starts.empty() ? number : static_cast<std::uint64_t>(after - m_starts.begin()) - 1;
        const StoredName& place = m_places[index];
        const std::uint64_t within = m_starts.empty() ? 0 : number - m_starts[index];
        return {textOf(place.function), place.offset ? std::optional(*place.offset + within) : std::nullopt, place.isInlined,
                textOf(place.file), place.line};
    }

    /// Calls `take` with each code location and its number of bytes, in the order in which the locations were added.
    template <typename Take> void forEach(const Take& take) const
    {
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            const StoredName& place = m_places[i];
            const std::uint64_t end = m_starts.empty() ? i + 1 : i + 1 < m_starts.size() ? m_starts[i + 1] : m_end;
            const std::uint64_t begin = m_starts.empty() ? i : m_starts[i];
            take(RecordedName{textOf(place.function), place.offset, place.isInlined, textOf(place.file), place.line}, end - begin);
        }
    }

private:
    struct Text {
        std::size_t begin = 0;
        std::uint32_t size = 0;
    };
    struct StoredName {
        Text function;
        Text file;
        std::uint32_t line;
        bool isInlined;
        std::optional<std::uint64_t> offset;
    };

    std::string_view textOf(Text text) const { return std::string_view(m_text).substr(text.begin, text.size); }

    /// Returns the position of a text in m_text: `previous` if `text` is equal to the text there; otherwise appends `text` to m_text.
    Text keep(std::string_view text, Text previous)
    {
        if (text == textOf(previous))
            return previous;
        const Text added{m_text.size(), static_cast<std::uint32_t>(text.size())};
        m_text += text;
        return added;
    }

    std::string m_text;
    std::vector<StoredName> m_places;
    /// For each element of m_places, the number of its first byte. Empty if each element has only one number, which is then its index.
    std::vector<std::uint64_t> m_starts;
    std::uint64_t m_end = 0; ///< Smallest number that is not used yet.
};

} // namespace helio
