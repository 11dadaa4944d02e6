#include "core/formats/perf_data/hardware_trace.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace helio::perf {
namespace {

/// Flags of an AUX record (PERF_AUX_FLAG_*).
enum AuxFlag : std::uint64_t { Truncated = 1, Overwrite = 2, Partial = 4, Collision = 8 };

constexpr std::size_t MessageSize = 64; ///< Size in bytes of the message in an AUXTRACE_ERROR record.

/// Names of the hardware tracers, indexed by the tracer number in AUXTRACE_INFO records (enum auxtrace_type of perf).
constexpr std::array<const char*, 8> TracerNames{"Hardware trace", "Intel PT",    "Intel BTS",     "Arm CoreSight ETM",
                                                 "Arm SPE",        "s390 CPU-MF", "HiSilicon PTT", "PowerPC VPA DTL"};

std::string sizeText(std::uint64_t bytes)
{
    if (bytes < 1024)
        return std::to_string(bytes) + " bytes";
    const bool isLarge = bytes >= std::uint64_t{1} << 20;
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %s", static_cast<double>(bytes) / (isLarge ? 1 << 20 : 1 << 10), isLarge ? "MiB" : "KiB");
    return text;
}

} // namespace

void HardwareTraces::takeData(std::uint64_t bytes)
{
    ++m_parts;
    m_bytes += bytes;
}

void HardwareTraces::takeAux(BinaryReader body)
{
    body.skip(8); // Skips the offset of the data in the AUX buffer.
    const std::uint64_t bytes = body.u64();
    const std::uint64_t flags = body.u64();
    if (body.isCut())
        return;
    ++m_aux;
    m_auxBytes += bytes;
    m_truncated += (flags & Truncated) != 0;
    m_overwritten += (flags & Overwrite) != 0;
    m_partial += (flags & Partial) != 0;
    m_collisions += (flags & Collision) != 0;
}

void HardwareTraces::takeError(BinaryReader body)
{
    body.skip(6 * 4 + 2 * 8); // Skips type, code, CPU, pid, tid, version of the record, address and time.
    const std::string_view message = body.text(std::min<std::uint64_t>(MessageSize, body.left()));
    if (m_errors++ == 0)
        m_firstError = message;
}

std::string HardwareTraces::dataText() const
{
    const bool isNamed = m_tracer > 0 && m_tracer < TracerNames.size();
    const std::string name = isNamed ? TracerNames[m_tracer] : m_tracer > 0 ? "Hardware trace " + std::to_string(m_tracer) : TracerNames[0];
    return name + (isNamed ? " data, " : ", ") + sizeText(m_bytes);
}

std::string HardwareTraces::summary() const { return m_parts + m_aux == 0 ? std::string() : dataText() + ", not decoded"; }

std::vector<Diagnostic> HardwareTraces::diagnostics() const
{
    using enum Diagnostic::Severity;
    std::vector<Diagnostic> found;
    const auto add = [&](Diagnostic::Severity severity, const char* kind, std::uint64_t count, std::string what) {
        if (count > 0)
            found.push_back({severity, kind, {}, 0, count, std::move(what)});
    };
    add(Info, "hardware-trace", m_parts > 0 ? m_parts : m_aux,
        dataText() + ": not decoded; perf script --itrace=i1us prints samples of them");
    const std::string ofAll = " of " + std::to_string(m_aux) + " times";
    add(Warning, "hardware-trace-lost", m_truncated,
        "hardware trace data were lost " + std::to_string(m_truncated) + ofAll
            + " because their buffer was full; record with a larger one (perf record -m,SIZE)");
    add(Warning, "hardware-trace-gaps", m_partial,
        "hardware trace data have gaps " + std::to_string(m_partial) + ofAll + "; a virtual machine may have used the tracer");
    add(Warning, "hardware-trace-collisions", m_collisions,
        "hardware samples collided " + std::to_string(m_collisions) + ofAll + " and were dropped; record with a longer period");
    add(Info, "hardware-trace-snapshot", m_overwritten,
        "snapshots: of the hardware trace data, " + sizeText(m_auxBytes) + " by the kernel's count, only the newest were kept");
    add(Warning, "hardware-trace-error", m_errors,
        "perf could not decode parts of the hardware trace" + (m_firstError.empty() ? "" : ": " + m_firstError));
    return found;
}

} // namespace helio::perf
