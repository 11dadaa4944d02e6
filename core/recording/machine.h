#pragma once

#include "core/recording/preset.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Properties of a machine that limit or serve recordings, as the probe script found them.
struct MachineFacts {
    std::string host; ///< Hostname.
    std::string kernel; ///< Kernel release, e.g. "6.1.0-28-amd64".
    unsigned cpus = 0; ///< Number of online CPUs; 0 if unknown.
    std::string user; ///< Name of the user who would record.
    std::int64_t uid = -1; ///< ID of that user; -1 if unknown.
    bool canTrace = false; ///< True if the user has CAP_SYS_ADMIN, or CAP_PERFMON: no limits apply to perf.
    bool isRoot = false; ///< True for root with CAP_SYS_ADMIN, who may use LTTng's kernel tracer and tracefs.
    bool isInTracingGroup = false; ///< True if the user may use a root session daemon of LTTng.
    int perfParanoid = 2; ///< Sysctl kernel.perf_event_paranoid.
    bool showsKernelAddresses = false; ///< True if the user can read addresses in /proc/kallsyms.
    std::array<std::string, RecordingToolCount> versions; ///< Version by RecordingTool; empty if the tool is not installed.
    bool hasLttngModules = false; ///< True if LTTng's kernel modules exist for the running kernel.
    std::string tracefs; ///< Mount point of tracefs; empty if it is not mounted.
    bool canReadTracefs = false; ///< True if the user can read the kernel's events in tracefs.
    std::set<std::string> kernelEvents; ///< Events of the kernel, "GROUP:NAME"; empty if tracefs cannot be read.
    std::map<std::string, std::string> libraries; ///< File names of the preset's libraries with their version, by name without version.
    std::int64_t freeBytes = -1; ///< Free space in the folder of the recording; -1 if unknown.
    std::string commandPath; ///< Path of the program to record; empty if it was not found or no command is given.
    bool isInstrumented = false; ///< True if the program calls __cyg_profile_func_enter, as gcc -finstrument-functions compiles it.
    /// True if most functions of the program keep a frame pointer; nullopt if unknown. Decides between frame pointers and DWARF.
    std::optional<bool> hasFramePointers;

    bool has(RecordingTool tool) const { return !versions[static_cast<std::size_t>(tool)].empty(); }
    const std::string& version(RecordingTool tool) const { return versions[static_cast<std::size_t>(tool)]; }
};

/// Returns the shell scripts of the program: resources/recording/*.sh.
std::span<const EmbeddedFile> builtinScripts();

/// Returns the text of a script in builtinScripts(), e.g. "probe.sh"; empty if there is none.
std::string_view scriptText(std::string_view name);

/// Returns a POSIX shell script that prints the facts of the machine where it runs, one "KEY=VALUE" a line.
/// @param folder Folder of the recording, whose free space counts; it need not exist.
/// @param command Program to record; empty for none.
/// @param preset Preset whose libraries are searched.
std::string probeScript(const RecordingPreset& preset, const std::string& folder, const std::string& command);

/// Reads the output of probeScript(). Unknown lines are ignored.
/// Errors: Corrupt if the output does not end as that of the script does, e.g. because a connection broke.
Result<MachineFacts> readMachineFacts(std::string_view output);

/// Returns whether most functions of an ELF program keep a frame pointer in their prologue; nullopt if the file cannot be judged: it is no
/// ELF file of x86-64, or has fewer than 8 functions. Judges by the first instructions of the functions in .eh_frame_hdr.
/// Cost: reads the file's headers and code, at most 64 MiB.
std::optional<bool> keepsFramePointers(const std::filesystem::path& program);

} // namespace helio
