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
    return dynamic_cast<const TsdlUnsupported*>(&error) ? Error::Kind::Unsupported : Error::Kind::Corrupt;
}

/// What is left out of a metadata text because it is damaged.
class MetadataDamages {
public:
    explicit MetadataDamages(std::string fileName)
        : m_fileName(std::move(fileName))
    {
    }

    /// Does a part of the work. False: the text is damaged there, and `what` is noted as left out. Throws the first damage where
    /// there are too many, and whatever else than a damage goes wrong.
    template <typename Work> bool survives(const std::string& what, Work work)
    {
        try {
            work();
            return true;
        } catch (const TsdlLimitError&) {
            throw;
        } catch (const TsdlUnsupported&) {
            throw;
        } catch (const TsdlError& error) {
            note(error, what);
            return false;
        }
    }

    /// Throws the first damage, if any, unless all that the rest is read by was found.
    void require(bool hasEssentials) const
    {
        if (m_first && !hasEssentials)
            throw TsdlError(*m_first);
    }

    std::vector<Diagnostic> take() { return std::move(m_all); }

private:
    static constexpr std::size_t Most = 100; ///< After each the text is read on from the part's begin: more would take long.

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
