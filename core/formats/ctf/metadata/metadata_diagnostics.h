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

/// Collects diagnostics about damaged blocks of a metadata text, which are skipped.
class MetadataDiagnostics {
public:
    explicit MetadataDiagnostics(std::string fileName)
        : m_fileName(std::move(fileName))
    {
    }

    /// Calls `work`, which reads a block. If the block is damaged, records that `what` is left out and returns false.
    /// Errors: throws the first damage if there are too many; exceptions that do not mean damage pass through.
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

    /// Throws the first recorded error if `hasEssentials` is false, i.e. if the blocks on which all other blocks depend could not be read.
    /// Otherwise, reading continues with the undamaged blocks.
    void require(bool hasEssentials) const
    {
        if (m_first && !hasEssentials)
            throw TsdlError(*m_first);
    }

    std::vector<Diagnostic> take() { return std::move(m_all); }

private:
    /// Maximum number of damaged blocks; with more, reading fails. The limit bounds the time, because each damage causes the text to be
    /// read again from the start of the damaged block.
    static constexpr std::size_t Most = 100;

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
