#include "core/formats/perfetto/packet_head.h"

#include "core/formats/perfetto/wire.h"

#include <algorithm>
#include <iterator>

namespace helio::perfetto {
namespace {

struct Payload {
    std::uint32_t number;
    std::string_view name;
};

constexpr Payload Payloads[] = {
    {1, "ftrace_events"},
    {2, "process_tree"},
    {4, "inode_file_map"},
    {5, "chrome_events"},
    {6, "clock_snapshot"},
    {7, "sys_stats"},
    {9, "process_stats"},
    {11, "track_event"},
    {33, "trace_config"},
    {34, "ftrace_stats"},
    {35, "trace_stats"},
    {36, "synchronization_marker"},
    {37, "profile_packet"},
    {38, "battery"},
    {39, "android_log"},
    {40, "power_rails"},
    {43, "process_descriptor"},
    {44, "thread_descriptor"},
    {45, "system_info"},
    {46, "trigger"},
    {47, "packages_list"},
    {48, "chrome_benchmark_metadata"},
    {49, "perfetto_metatrace"},
    {50, "compressed_packets"},
    {51, "chrome_metadata"},
    {52, "gpu_counter_event"},
    {53, "gpu_render_stage_event"},
    {54, "streaming_profile_packet"},
    {55, "profiled_frame_symbols"},
    {56, "heap_graph"},
    {57, "graphics_frame_event"},
    {60, "track_descriptor"},
    {61, "module_symbols"},
    {62, "vulkan_memory_event"},
    {63, "gpu_log"},
    {64, "deobfuscation_mapping"},
    {65, "vulkan_api_event"},
    {66, "perf_sample"},
    {67, "cpu_info"},
    {68, "smaps_packet"},
    {69, "service_event"},
    {70, "initial_display_state"},
    {71, "gpu_mem_total_event"},
    {72, "extension_descriptor"},
    {73, "memory_tracker_snapshot"},
    {74, "streaming_allocation"},
    {75, "streaming_free"},
    {76, "frame_timeline_event"},
    {77, "android_energy_estimation_breakdown"},
    {78, "ui_state"},
    {80, "android_camera_frame_event"},
    {81, "android_camera_session_stats"},
    {82, "translation_table"},
    {83, "android_game_intervention_list"},
    {84, "statsd_atom"},
    {86, "android_system_property"},
    {88, "network_packet"},
    {89, "trace_uuid"},
    {90, "track_event_range_of_interest"},
    {91, "entity_state_residency"},
    {92, "network_packet_bundle"},
    {93, "surfaceflinger_layers_snapshot"},
    {94, "surfaceflinger_transactions"},
    {95, "etw_events"},
    {96, "shell_transition"},
    {97, "shell_handler_mappings"},
    {99, "v8_js_code"},
    {100, "v8_internal_code"},
    {101, "v8_wasm_code"},
    {102, "v8_reg_exp_code"},
    {103, "v8_code_move"},
    {104, "protolog_message"},
    {105, "protolog_viewer_config"},
    {107, "remote_clock_sync"},
    {109, "chrome_trigger"},
    {110, "pixel_modem_events"},
    {111, "pixel_modem_token_database"},
    {112, "winscope_extensions"},
    {113, "clone_snapshot_trigger"},
    {114, "bluetooth_trace_event"},
    {115, "kernel_wakelock_data"},
    {116, "app_wakelock_bundle"},
    {117, "generic_kernel_task_state_event"},
    {118, "generic_kernel_cpu_freq_event"},
    {119, "cpu_per_uid_data"},
    {120, "generic_kernel_task_rename_event"},
    {121, "evdev_event"},
    {122, "generic_kernel_process_tree"},
    {123, "user_list"},
    {124, "trace_provenance"},
    {125, "protovms"},
    {126, "trace_attributes"},
    {127, "android_aflags"},
    {128, "gpu_info"},
    {129, "generic_gpu_frequency_event"},
    {130, "interrupt_info"},
    {131, "art_process_metadata"},
    {132, "journald_event"},
    {133, "zstd_compressed_packets"},
    {134, "concurrent_session_event"},
    {135, "stack_sample"},
    {138, "recovered_trace_info"},
    {139, "source_file"},
    {140, "module_disassembly"},
    {900, "for_testing"},
};

// Bits of TracePacket.sequence_flags: SEQ_INCREMENTAL_STATE_CLEARED and SEQ_NEEDS_INCREMENTAL_STATE.
constexpr std::uint64_t StateCleared = 1;
constexpr std::uint64_t NeedsState = 2;

} // namespace

std::string_view payloadName(std::uint32_t number)
{
    const auto* const found = std::ranges::lower_bound(Payloads, number, {}, &Payload::number);
    return found != std::end(Payloads) && found->number == number ? found->name : std::string_view();
}

PacketHead readHead(std::string_view packet)
{
    PacketHead head;
    head.isDamaged = !forEachField(packet, [&](const WireField& field) {
        switch (field.number) {
        case 8: head.timestamp = field.value; break;
        case 10: head.sequence = field.uint32(); break;
        case 12: head.internedData = field.bytes; break;
        case 13:
            head.clearsState = head.clearsState || (field.value & StateCleared) != 0;
            head.needsState = (field.value & NeedsState) != 0;
            break;
        case 41: head.clearsState = head.clearsState || field.value != 0; break;
        case 42: head.isAfterLoss = field.value != 0; break;
        case 58: head.clock = field.uint32(); break;
        case 59:
            head.defaults = field.bytes;
            head.hasDefaults = true;
            break;
        case 98: head.machine = field.uint32(); break;
        default:
            if (field.isBytes()) {
                head.payload = field.number;
                head.payloadBytes = field.bytes;
            }
        }
    });
    return head;
}

} // namespace helio::perfetto
