#pragma once

#include "core/base/diagnostic.h"
#include "core/trace/fields/binary_reader.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace helio::perf {

/// Collects the records of hardware traces (AUX data, for example of Intel PT). The data themselves are not decoded; the user is told what
/// they are, how large they are and what is missing in them.
class HardwareTraces {
public:
    /// Takes an AUXTRACE_INFO record, which names the tracer of the recording.
    void takeInfo(BinaryReader body) { m_tracer = body.u32(); }
    /// Takes an AUXTRACE record that was followed by `bytes` bytes of data.
    void takeData(std::uint64_t bytes);
    /// Takes an AUX record: the kernel's report that it added data to a buffer.
    void takeAux(BinaryReader body);
    /// Takes an AUXTRACE_ERROR record: an error that perf found in the data when it decoded them earlier (`perf inject`).
    void takeError(BinaryReader body);

    /// Returns diagnostics for the user, without a file; empty if there is no hardware trace.
    std::vector<Diagnostic> diagnostics() const;
    /// Returns tracer and size for the recording's environment, e.g. "Intel PT, 12.0 MiB, not decoded"; empty if there is no hardware
    /// trace.
    std::string summary() const;

private:
    /// Returns tracer and size, e.g. "Intel PT data, 12.0 MiB".
    std::string dataText() const;

    std::uint32_t m_tracer = 0; ///< Number of the tracer (enum auxtrace_type of perf); 0 if not recorded.
    std::uint64_t m_bytes = 0; ///< Total size of the data in bytes.
    std::uint64_t m_parts = 0; ///< Number of AUXTRACE records.
    std::uint64_t m_aux = 0; ///< Number of AUX records.
    std::uint64_t m_auxBytes = 0; ///< Total size in bytes that the AUX records report.
    std::uint64_t m_truncated = 0; ///< Number of AUX records with the flag TRUNCATED.
    std::uint64_t m_overwritten = 0; ///< Number of AUX records with the flag OVERWRITE.
    std::uint64_t m_partial = 0; ///< Number of AUX records with the flag PARTIAL.
    std::uint64_t m_collisions = 0; ///< Number of AUX records with the flag COLLISION.
    std::uint64_t m_errors = 0; ///< Number of AUXTRACE_ERROR records.
    std::string m_firstError; ///< Message of the first AUXTRACE_ERROR record; may be empty.
};

} // namespace helio::perf
