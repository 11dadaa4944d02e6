-- Threads of the kernel: kthreadd, whose number is 2, and its children.
CREATE PERFETTO VIEW linux_kernel_threads(
  upid JOINID(process.id), utid JOINID(thread.id), pid LONG, tid LONG, process_name STRING, thread_name STRING, machine_id LONG
) AS
SELECT
  process.upid, thread.utid, process.pid, thread.tid, process.name AS process_name, thread.name AS thread_name, process.machine_id
FROM process
JOIN thread USING (upid)
LEFT JOIN process AS parent ON parent.upid = process.parent_upid
WHERE process.pid = 2 OR parent.pid = 2;
