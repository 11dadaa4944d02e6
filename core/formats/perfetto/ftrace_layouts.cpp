#include "core/formats/perfetto/ftrace_layouts.h"

#include <algorithm>
#include <charconv>

namespace helio::perfetto {
namespace {

/// Names of ftrace events in the order of their field numbers in the message FtraceEvent. A number in this text is the field number of the
/// name after it; each further name has the next field number.
constexpr std::string_view Names =
    "3 print sched_switch "
    "11 cpu_frequency cpu_frequency_limits cpu_idle clock_enable clock_disable clock_set_rate sched_wakeup sched_blocked_reason "
    "sched_cpu_hotplug sched_waking ipi_entry ipi_exit ipi_raise softirq_entry softirq_exit softirq_raise i2c_read i2c_write i2c_result "
    "i2c_reply smbus_read smbus_write smbus_result smbus_reply lowmemory_kill irq_handler_entry irq_handler_exit sync_pt sync_timeline "
    "sync_wait ext4_da_write_begin ext4_da_write_end ext4_sync_file_enter ext4_sync_file_exit block_rq_issue "
    "mm_vmscan_direct_reclaim_begin mm_vmscan_direct_reclaim_end mm_vmscan_kswapd_wake mm_vmscan_kswapd_sleep binder_transaction "
    "binder_transaction_received binder_set_priority binder_lock binder_locked binder_unlock workqueue_activate_work "
    "workqueue_execute_end workqueue_execute_start workqueue_queue_work regulator_disable regulator_disable_complete regulator_enable "
    "regulator_enable_complete regulator_enable_delay regulator_set_voltage regulator_set_voltage_complete cgroup_attach_task "
    "cgroup_mkdir cgroup_remount cgroup_rmdir cgroup_transfer_tasks cgroup_destroy_root cgroup_release cgroup_rename cgroup_setup_root "
    "mdp_cmd_kickoff mdp_commit mdp_perf_set_ot mdp_sspp_change tracing_mark_write mdp_cmd_pingpong_done mdp_compare_bw "
    "mdp_perf_set_panic_luts mdp_sspp_set mdp_cmd_readptr_done mdp_misr_crc mdp_perf_set_qos_luts mdp_trace_counter mdp_cmd_release_bw "
    "mdp_mixer_update mdp_perf_set_wm_levels mdp_video_underrun_done mdp_cmd_wait_pingpong mdp_perf_prefill_calc mdp_perf_update_bus "
    "rotator_bw_ao_as_context mm_filemap_add_to_page_cache mm_filemap_delete_from_page_cache mm_compaction_begin "
    "mm_compaction_defer_compaction mm_compaction_deferred mm_compaction_defer_reset mm_compaction_end mm_compaction_finished "
    "mm_compaction_isolate_freepages mm_compaction_isolate_migratepages mm_compaction_kcompactd_sleep mm_compaction_kcompactd_wake "
    "mm_compaction_migratepages mm_compaction_suitable mm_compaction_try_to_compact_pages mm_compaction_wakeup_kcompactd suspend_resume "
    "sched_wakeup_new block_bio_backmerge block_bio_bounce block_bio_complete block_bio_frontmerge block_bio_queue block_bio_remap "
    "block_dirty_buffer block_getrq block_plug block_rq_abort block_rq_complete block_rq_insert "
    "128 block_rq_remap block_rq_requeue block_sleeprq block_split block_touch_buffer block_unplug ext4_alloc_da_blocks "
    "ext4_allocate_blocks ext4_allocate_inode ext4_begin_ordered_truncate ext4_collapse_range ext4_da_release_space ext4_da_reserve_space "
    "ext4_da_update_reserve_space ext4_da_write_pages ext4_da_write_pages_extent ext4_direct_IO_enter ext4_direct_IO_exit "
    "ext4_discard_blocks ext4_discard_preallocations ext4_drop_inode ext4_es_cache_extent ext4_es_find_delayed_extent_range_enter "
    "ext4_es_find_delayed_extent_range_exit ext4_es_insert_extent ext4_es_lookup_extent_enter ext4_es_lookup_extent_exit "
    "ext4_es_remove_extent ext4_es_shrink ext4_es_shrink_count ext4_es_shrink_scan_enter ext4_es_shrink_scan_exit ext4_evict_inode "
    "ext4_ext_convert_to_initialized_enter ext4_ext_convert_to_initialized_fastpath ext4_ext_handle_unwritten_extents ext4_ext_in_cache "
    "ext4_ext_load_extent ext4_ext_map_blocks_enter ext4_ext_map_blocks_exit ext4_ext_put_in_cache ext4_ext_remove_space "
    "ext4_ext_remove_space_done ext4_ext_rm_idx ext4_ext_rm_leaf ext4_ext_show_extent ext4_fallocate_enter ext4_fallocate_exit "
    "ext4_find_delalloc_range ext4_forget ext4_free_blocks ext4_free_inode ext4_get_implied_cluster_alloc_exit "
    "ext4_get_reserved_cluster_alloc ext4_ind_map_blocks_enter ext4_ind_map_blocks_exit ext4_insert_range ext4_invalidatepage "
    "ext4_journal_start ext4_journal_start_reserved ext4_journalled_invalidatepage ext4_journalled_write_end ext4_load_inode "
    "ext4_load_inode_bitmap ext4_mark_inode_dirty ext4_mb_bitmap_load ext4_mb_buddy_bitmap_load ext4_mb_discard_preallocations "
    "ext4_mb_new_group_pa ext4_mb_new_inode_pa ext4_mb_release_group_pa ext4_mb_release_inode_pa ext4_mballoc_alloc ext4_mballoc_discard "
    "ext4_mballoc_free ext4_mballoc_prealloc ext4_other_inode_update_time ext4_punch_hole ext4_read_block_bitmap_load ext4_readpage "
    "ext4_releasepage ext4_remove_blocks ext4_request_blocks ext4_request_inode ext4_sync_fs ext4_trim_all_free ext4_trim_extent "
    "ext4_truncate_enter ext4_truncate_exit ext4_unlink_enter ext4_unlink_exit ext4_write_begin "
    "230 ext4_write_end ext4_writepage ext4_writepages ext4_writepages_result ext4_zero_range task_newtask task_rename sched_process_exec "
    "sched_process_exit sched_process_fork sched_process_free sched_process_hang sched_process_wait f2fs_do_submit_bio f2fs_evict_inode "
    "f2fs_fallocate f2fs_get_data_block f2fs_get_victim f2fs_iget f2fs_iget_exit f2fs_new_inode f2fs_readpage f2fs_reserve_new_block "
    "f2fs_set_page_dirty f2fs_submit_write_page f2fs_sync_file_enter f2fs_sync_file_exit f2fs_sync_fs f2fs_truncate "
    "f2fs_truncate_blocks_enter f2fs_truncate_blocks_exit f2fs_truncate_data_blocks_range f2fs_truncate_inode_blocks_enter "
    "f2fs_truncate_inode_blocks_exit f2fs_truncate_node f2fs_truncate_nodes_enter f2fs_truncate_nodes_exit f2fs_truncate_partial_nodes "
    "f2fs_unlink_enter f2fs_unlink_exit f2fs_vm_page_mkwrite f2fs_write_begin f2fs_write_checkpoint f2fs_write_end alloc_pages_iommu_end "
    "alloc_pages_iommu_fail alloc_pages_iommu_start alloc_pages_sys_end alloc_pages_sys_fail alloc_pages_sys_start "
    "dma_alloc_contiguous_retry iommu_map_range iommu_sec_ptbl_map_range_end iommu_sec_ptbl_map_range_start ion_alloc_buffer_end "
    "ion_alloc_buffer_fail ion_alloc_buffer_fallback ion_alloc_buffer_start ion_cp_alloc_retry ion_cp_secure_buffer_end "
    "ion_cp_secure_buffer_start ion_prefetching ion_secure_cma_add_to_pool_end ion_secure_cma_add_to_pool_start "
    "ion_secure_cma_allocate_end ion_secure_cma_allocate_start ion_secure_cma_shrink_pool_end ion_secure_cma_shrink_pool_start kfree "
    "kmalloc kmalloc_node kmem_cache_alloc kmem_cache_alloc_node kmem_cache_free migrate_pages_end migrate_pages_start migrate_retry "
    "mm_page_alloc mm_page_alloc_extfrag mm_page_alloc_zone_locked mm_page_free mm_page_free_batched mm_page_pcpu_drain rss_stat "
    "ion_heap_shrink ion_heap_grow fence_init fence_destroy fence_enable_signal fence_signaled clk_enable clk_disable clk_set_rate "
    "binder_transaction_alloc_buf signal_deliver signal_generate oom_score_adj_update "
    "328 mm_event_record sys_enter sys_exit zero gpu_frequency sde_tracing_mark_write mark_victim ion_stat ion_buffer_create "
    "ion_buffer_destroy scm_call_start scm_call_end gpu_mem_total thermal_temperature cdev_update cpuhp_exit cpuhp_multi_enter "
    "cpuhp_enter cpuhp_latency fastrpc_dma_stat dpu_tracing_mark_write g2d_tracing_mark_write mali_tracing_mark_write dma_heap_stat "
    "cpuhp_pause sched_pi_setprio sde_sde_evtlog sde_sde_perf_calc_crtc sde_sde_perf_crtc_update sde_sde_perf_set_qos_luts "
    "sde_sde_perf_update_bus rss_stat_throttled netif_receive_skb net_dev_xmit inet_sock_set_state tcp_retransmit_skb "
    "cros_ec_sensorhub_data napi_gro_receive_entry napi_gro_receive_exit kfree_skb kvm_access_fault kvm_ack_irq kvm_age_hva kvm_age_page "
    "kvm_arm_clear_debug kvm_arm_set_dreg32 kvm_arm_set_regset kvm_arm_setup_debug kvm_entry kvm_exit kvm_fpu kvm_get_timer_map "
    "kvm_guest_fault kvm_handle_sys_reg kvm_hvc_arm64 kvm_irq_line kvm_mmio kvm_mmio_emulate kvm_set_guest_debug kvm_set_irq "
    "kvm_set_spte_hva kvm_set_way_flush kvm_sys_access kvm_test_age_hva kvm_timer_emulate kvm_timer_hrtimer_expire "
    "kvm_timer_restore_state kvm_timer_save_state kvm_timer_update_irq kvm_toggle_cache kvm_unmap_hva_range kvm_userspace_exit "
    "kvm_vcpu_wakeup kvm_wfx_arm64 trap_reg vgic_update_irq_pending wakeup_source_activate wakeup_source_deactivate ufshcd_command "
    "ufshcd_clk_gating console drm_vblank_event drm_vblank_event_delivered drm_sched_job drm_run_job drm_sched_process_job "
    "dma_fence_init dma_fence_emit dma_fence_signaled dma_fence_wait_start dma_fence_wait_end f2fs_iostat f2fs_iostat_latency "
    "sched_cpu_util_cfs v4l2_qbuf v4l2_dqbuf vb2_v4l2_buf_queue vb2_v4l2_buf_done vb2_v4l2_qbuf vb2_v4l2_dqbuf dsi_cmd_fifo_status "
    "dsi_rx dsi_tx android_fs_dataread_end android_fs_dataread_start android_fs_datawrite_end android_fs_datawrite_start "
    "android_fs_fsync_end android_fs_fsync_start funcgraph_entry funcgraph_exit virtio_video_cmd virtio_video_cmd_done "
    "virtio_video_resource_queue virtio_video_resource_queue_done mm_shrink_slab_start mm_shrink_slab_end trusty_smc trusty_smc_done "
    "trusty_std_call32 trusty_std_call32_done trusty_share_memory trusty_share_memory_done trusty_reclaim_memory "
    "trusty_reclaim_memory_done trusty_irq trusty_ipc_handle_event trusty_ipc_connect trusty_ipc_connect_end trusty_ipc_write "
    "trusty_ipc_poll 460 trusty_ipc_read trusty_ipc_read_end trusty_ipc_rx 464 trusty_enqueue_nop cma_alloc_start cma_alloc_info "
    "lwis_tracing_mark_write virtio_gpu_cmd_queue virtio_gpu_cmd_response mali_mali_KCPU_CQS_SET mali_mali_KCPU_CQS_WAIT_START "
    "mali_mali_KCPU_CQS_WAIT_END mali_mali_KCPU_FENCE_SIGNAL mali_mali_KCPU_FENCE_WAIT_START mali_mali_KCPU_FENCE_WAIT_END hyp_enter "
    "hyp_exit host_hcall host_smc host_mem_abort suspend_resume_minimal mali_mali_CSF_INTERRUPT_START mali_mali_CSF_INTERRUPT_END "
    "samsung_tracing_mark_write binder_command binder_return sched_switch_with_ctrs gpu_work_period rpm_status panel_write_generic "
    "sched_migrate_task dpu_dsi_cmd_fifo_status dpu_dsi_rx dpu_dsi_tx f2fs_background_gc f2fs_gc_begin f2fs_gc_end fastrpc_dma_free "
    "fastrpc_dma_alloc fastrpc_dma_unmap fastrpc_dma_map google_icc_event google_irm_event device_pm_callback_start "
    "device_pm_callback_end thermal_exynos_acpm_bulk thermal_exynos_acpm_high_overhead dcvsh_freq kgsl_gpu_frequency "
    "533 bcl_irq_trigger kgsl_adreno_cmdbatch_queued kgsl_adreno_cmdbatch_submitted kgsl_adreno_cmdbatch_sync "
    "kgsl_adreno_cmdbatch_retired pixel_mm_kswapd_wake pixel_mm_kswapd_done";

/// Field names of ftrace events in the order of their field numbers, which begin at 1. "-" stands for a field number that is not used. The
/// last character of a name may tell the kind of the field: "*" is an address, "@" a kernel function, "%" a device number.
constexpr struct {
    std::string_view event;
    std::string_view fields;
} Fields[] = {
    {"print", "ip* buf"},
    {"sched_switch", "prev_comm prev_pid prev_prio prev_state next_comm next_pid next_prio"},
    {"sched_wakeup", "comm pid prio success target_cpu"},
    {"sched_waking", "comm pid prio success target_cpu"},
    {"sched_wakeup_new", "comm pid prio success target_cpu"},
    {"sched_blocked_reason", "pid caller@ io_wait"},
    {"sched_cpu_hotplug", "affected_cpu error status"},
    {"sched_process_exec", "filename pid old_pid"},
    {"sched_process_exit", "comm pid tgid prio"},
    {"sched_process_fork", "parent_comm parent_pid child_comm child_pid"},
    {"sched_process_free", "comm pid prio"},
    {"sched_process_hang", "comm pid"},
    {"sched_process_wait", "comm pid prio"},
    {"sched_pi_setprio", "comm newprio oldprio pid"},
    {"sched_migrate_task", "comm pid prio orig_cpu dest_cpu"},
    {"sched_cpu_util_cfs",
     "active capacity capacity_orig cpu cpu_importance cpu_util exit_lat group_capacity grp_overutilized idle_cpu nr_running spare_cap "
     "task_fits wake_group_util wake_util"},
    {"task_newtask", "pid comm clone_flags oom_score_adj"},
    {"task_rename", "pid oldcomm newcomm oom_score_adj"},
    {"irq_handler_entry", "irq name handler"},
    {"irq_handler_exit", "irq ret"},
    {"softirq_entry", "vec"},
    {"softirq_exit", "vec"},
    {"softirq_raise", "vec"},
    {"ipi_entry", "reason"},
    {"ipi_exit", "reason"},
    {"ipi_raise", "target_cpus reason"},
    {"sys_enter", "id args"},
    {"sys_exit", "id ret"},
    {"signal_deliver", "code sa_flags sig"},
    {"signal_generate", "code comm group pid result sig"},
    {"cpu_frequency", "state cpu_id"},
    {"cpu_frequency_limits", "min_freq max_freq cpu_id"},
    {"cpu_idle", "state cpu_id"},
    {"clock_enable", "name state cpu_id"},
    {"clock_disable", "name state cpu_id"},
    {"clock_set_rate", "name state cpu_id"},
    {"suspend_resume", "action val start"},
    {"block_rq_issue", "dev% sector nr_sector bytes rwbs comm cmd"},
    {"block_bio_backmerge", "dev% sector nr_sector rwbs comm"},
    {"block_bio_bounce", "dev% sector nr_sector rwbs comm"},
    {"block_bio_complete", "dev% sector nr_sector error rwbs"},
    {"block_bio_frontmerge", "dev% sector nr_sector rwbs comm"},
    {"block_bio_queue", "dev% sector nr_sector rwbs comm"},
    {"block_bio_remap", "dev% sector nr_sector old_dev% old_sector rwbs"},
    {"block_dirty_buffer", "dev% sector size"},
    {"block_getrq", "dev% sector nr_sector rwbs comm"},
    {"block_plug", "comm"},
    {"block_rq_abort", "dev% sector nr_sector errors rwbs cmd"},
    {"block_rq_complete", "dev% sector nr_sector errors rwbs cmd error"},
    {"block_rq_insert", "dev% sector nr_sector bytes rwbs comm cmd"},
    {"block_rq_remap", "dev% sector nr_sector old_dev% old_sector nr_bios rwbs"},
    {"block_rq_requeue", "dev% sector nr_sector errors rwbs cmd"},
    {"block_sleeprq", "dev% sector nr_sector rwbs comm"},
    {"block_split", "dev% sector new_sector rwbs comm"},
    {"block_touch_buffer", "dev% sector size"},
    {"block_unplug", "nr_rq comm"},
    {"workqueue_activate_work", "work* function@"},
    {"workqueue_execute_end", "work* function@"},
    {"workqueue_execute_start", "work* function@"},
    {"workqueue_queue_work", "work* function@ workqueue req_cpu cpu"},
    {"cgroup_attach_task", "dst_root dst_id pid comm cname"},
    {"kfree", "call_site* ptr*"},
    {"kmalloc", "bytes_alloc bytes_req call_site* gfp_flags ptr*"},
    {"kmalloc_node", "bytes_alloc bytes_req call_site* gfp_flags node ptr*"},
    {"kmem_cache_alloc", "bytes_alloc bytes_req call_site* gfp_flags ptr*"},
    {"kmem_cache_alloc_node", "bytes_alloc bytes_req call_site* gfp_flags node ptr*"},
    {"kmem_cache_free", "call_site* ptr*"},
    {"mm_page_alloc", "gfp_flags migratetype order page* pfn"},
    {"mm_page_alloc_extfrag", "alloc_migratetype alloc_order fallback_migratetype fallback_order page* change_ownership pfn"},
    {"mm_page_alloc_zone_locked", "migratetype order page* pfn"},
    {"mm_page_free", "order page* pfn"},
    {"mm_page_free_batched", "cold page* pfn"},
    {"mm_page_pcpu_drain", "migratetype order page* pfn"},
    {"rss_stat", "member size curr mm_id"},
    {"migrate_pages_end", "mode"},
    {"migrate_pages_start", "mode"},
    {"migrate_retry", "tries"},
    {"mm_vmscan_direct_reclaim_begin", "order may_writepage gfp_flags"},
    {"mm_vmscan_direct_reclaim_end", "nr_reclaimed"},
    {"mm_vmscan_kswapd_wake", "nid order zid"},
    {"mm_vmscan_kswapd_sleep", "nid"},
    {"oom_score_adj_update", "comm oom_score_adj pid"},
    {"napi_gro_receive_entry", "data_len gso_size gso_type hash ip_summed l4_hash len mac_header mac_header_valid name"},
    {"napi_gro_receive_exit", "ret"},
    {"netif_receive_skb", "len name skbaddr*"},
    {"tcp_retransmit_skb", "daddr dport saddr skaddr* skbaddr* sport state"},
    {"inet_sock_set_state", "daddr dport family newstate oldstate protocol saddr skaddr* sport"},
    {"kfree_skb", "location* protocol skbaddr*"},
    {"binder_transaction", "debug_id target_node to_proc to_thread reply code flags"},
    {"binder_transaction_received", "debug_id"},
    {"binder_set_priority", "proc thread old_prio new_prio desired_prio"},
    {"binder_lock", "tag"},
    {"binder_locked", "tag"},
    {"binder_unlock", "tag"},
    {"binder_transaction_alloc_buf", "data_size debug_id offsets_size extra_buffers_size"},
    {"kvm_access_fault", "ipa*"},
    {"kvm_ack_irq", "irqchip pin"},
    {"kvm_entry", "vcpu_pc*"},
    {"kvm_exit", "esr_ec ret vcpu_pc*"},
    {"kvm_fpu", "load"},
    {"kvm_guest_fault", "hsr hxfar* ipa* vcpu_pc*"},
    {"kvm_hvc_arm64", "imm r0 vcpu_pc*"},
    {"kvm_irq_line", "irq_num level type vcpu_idx"},
    {"kvm_mmio", "gpa* len type val"},
    {"kvm_mmio_emulate", "cpsr instr vcpu_pc*"},
    {"kvm_set_irq", "gsi irq_source_id level"},
    {"kvm_timer_emulate", "should_fire timer_idx"},
    {"kvm_timer_hrtimer_expire", "timer_idx"},
    {"kvm_timer_update_irq", "irq level vcpu_id"},
    {"kvm_userspace_exit", "reason"},
    {"kvm_vcpu_wakeup", "ns valid waited"},
    {"kvm_wfx_arm64", "is_wfe vcpu_pc*"},
    {"vgic_update_irq_pending", "irq level vcpu_id"},
    {"funcgraph_entry", "depth func@"},
    {"funcgraph_exit", "calltime depth func@ overrun rettime"},
};

/// Removes the first word from `text` and returns it; empty if `text` is empty. Words are separated by single blanks.
std::string_view takeWord(std::string_view& text)
{
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
}

FtraceField fieldFrom(std::string_view word)
{
    if (word == "-")
        return {};
    constexpr std::string_view Marks = "*@%";
    const std::size_t mark = Marks.find(word.back());
    if (mark == std::string_view::npos)
        return {word, FtraceFieldKind::Plain};
    word.remove_suffix(1);
    return {word, static_cast<FtraceFieldKind>(mark + 1)};
}

std::vector<FtraceLayout> makeLayouts()
{
    std::vector<FtraceLayout> layouts;
    std::string_view names = Names;
    std::size_t number = 0;
    for (std::string_view word = takeWord(names); !word.empty(); word = takeWord(names)) {
        if (word.front() >= '0' && word.front() <= '9') {
            std::from_chars(word.data(), word.data() + word.size(), number);
            continue;
        }
        layouts.resize(number + 1);
        FtraceLayout& layout = layouts[number++];
        layout.name = word;
        const auto* const known = std::ranges::find_if(Fields, [&](const auto& fields) { return fields.event == word; });
        if (known == std::end(Fields))
            continue;
        std::string_view fields = known->fields;
        while (!fields.empty())
            layout.fields.push_back(fieldFrom(takeWord(fields)));
    }
    return layouts;
}

} // namespace

const FtraceLayout& ftraceLayout(std::uint32_t number)
{
    static const std::vector<FtraceLayout> layouts = makeLayouts();
    static const FtraceLayout unknown;
    return number < layouts.size() ? layouts[number] : unknown;
}

} // namespace helio::perfetto
