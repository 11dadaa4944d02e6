#pragma once

#include "core/base/diagnostic.h"
#include "core/trace/fields/binary_reader.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace helio::perf {

/// Collects facts about hardware traces (AUX data, e.g. of Intel PT) from their records. The AUX data are not decoded. Diagnostics tell the
/// user which tracer wrote them, how large they are and which parts are missing.
class HardwareTraces {
public:
    /// Takes an AUXTRACE_INFO record, which names the tracer of the recording.
    void takeInfo(BinaryReader body) { m_tracer = body.u32(); }
    /// Takes an AUXTRACE record that was followed by `bytes` bytes of data.
    void takeData(std::uint64_t bytes);
    /// Takes an AUX record, by which the kernel reports that it added data to an AUX buffer.
    void takeAux(BinaryReader body);
    /// Takes an AUXTRACE_ERROR record: an error that `perf inject` found when it decoded the AUX data.
    void takeError(BinaryReader body);

    /// Returns the diagnostics; Diagnostic::file is empty. Returns no diagnostics if the recording has no hardware trace.
    std::vector<Diagnostic> diagnostics() const;
    /// Returns tracer and size of the AUX data, e.g. "Intel PT data, 12.0 MiB, not decoded"; empty if the recording has no hardware trace.
    std::string summary() const;

private:
    /// Returns tracer and size of the AUX data, e.g. "Intel PT data, 12.0 MiB".
    std::string dataText() const;

    std::uint32_t m_tracer = 0; ///< Number of the tracer (enum auxtrace_type of perf); 0 if not recorded.
    std::uint64_t m_bytes = 0; ///< Total size in bytes of the data that follow AUXTRACE records.
    std::uint64_t m_parts = 0; ///< Number of AUXTRACE records.
    std::uint64_t m_aux = 0; ///< Number of AUX records.
    std::uint64_t m_auxBytes = 0; ///< Total size in bytes of the data that AUX records report.
    std::uint64_t m_truncated = 0; ///< Number of AUX records with PERF_AUX_FLAG_TRUNCATED.
    std::uint64_t m_overwritten = 0; ///< Number of AUX records with PERF_AUX_FLAG_OVERWRITE.
    std::uint64_t m_partial = 0; ///< Number of AUX records with PERF_AUX_FLAG_PARTIAL.
    std::uint64_t m_collisions = 0; ///< Number of AUX records with PERF_AUX_FLAG_COLLISION.
    std::uint64_t m_errors = 0; ///< Number of AUXTRACE_ERROR records.
    std::string m_firstError; ///< Message of the first AUXTRACE_ERROR record; may be empty.
};

} // namespace helio::perf
