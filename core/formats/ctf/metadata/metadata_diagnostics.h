#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/formats/ctf/metadata/tsdl_lexer.h"

#include <optional>
#include <utility>
#include <vector>

namespace helio::ctf {

inline Error::Kind kindOf(const TsdlError& error)
{
    if (dynamic_cast<const TsdlLimitError*>(&error))
        return Error::Kind::Full;
    return dynamic_cast<const TsdlUnsupportedError*>(&error) ? Error::Kind::Unsupported : Error::Kind::Corrupt;
}

/// Collects the damaged blocks of a metadata text, which are left out.
class MetadataDiagnostics {
public:
    explicit MetadataDiagnostics(std::string fileName)
        : m_fileName(std::move(fileName))
    {
    }

    /// Calls `work`. If the text is damaged there, notes that `what` is left out and returns false.
    /// Errors: throws the first damage if there are too many; passes on exceptions that are not about damage.
    template <typename Work> bool tryRead(const std::string& what, Work work)
    {
        try {
            work();
            return true;
        } catch (const TsdlLimitError&) {
            throw;
        } catch (const TsdlUnsupportedError&) {
            throw;
        } catch (const TsdlError& error) {
            note(error, what);
            return false;
        }
    }

    /// Throws the first damage, if any, unless the blocks that all others depend on were found.
    void require(bool hasEssentials) const
    {
        if (m_first && !hasEssentials)
            throw TsdlError(*m_first);
    }

    std::vector<Diagnostic> take() { return std::move(m_all); }

private:
    static constexpr std::size_t Most = 100; ///< Limit of the time: after each damage, the text is read again from the block's begin.

    void note(const TsdlError& error, const std::string& what)
    {
        if (!m_first)
            m_first = error;
        require(m_all.size() < Most);
        m_all.push_back({Diagnostic::Severity::Error, "damaged-metadata", m_fileName, 0, 1,
                         "line " + std::to_string(error.line) + ": " + error.cause + "; " + what + " is left out"});
    }

    std::string m_fileName;
    std::optional<TsdlError> m_first;
    std::vector<Diagnostic> m_all;
};

} // namespace helio::ctf
