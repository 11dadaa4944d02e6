#pragma once

// A host with two guests: the second guest takes the CPU from the first one, and then a thread of the host takes it.

#include "core/query/rows/rows.h"
#include "tests/core/correlators/machines/made_machines.h"

#include <memory>
#include <string>
#include <vector>

namespace helio::test {

/// Makes the host's trace. Threads 20 and 21 are the vCPUs of the two guests, on CPU 1. Guest 1 loses the CPU to guest 2 from 205 to 290,
/// then to thread 9.
inline std::shared_ptr<KvmScript> host()
{
    auto host = std::make_shared<KvmScript>();
    host->dump(0, 20, 10, 1, 0, 5);
    host->dump(0, 21, 11, 1, 0, 5);
    host->dump(0, 9, 9, 1, 0, 5);
    host->sw(5, 1, 0, 0, 20);
    host->entry(8, 1).exit(200, 1, 0, Interrupt);
    host->sw(205, 1, 20, 0, 21);
    host->entry(210, 1).exit(280, 1, 0, Halt);
    host->sw(290, 1, 21, 1, 9);
    host->sw(300, 1, 9, 1, 20);
    host->entry(310, 1);
    return host;
}

/// Makes a guest's trace, in which thread `tid` seems to have the only CPU all the time.
inline std::shared_ptr<KvmScript> guest(int tid)
{
    auto guest = std::make_shared<KvmScript>();
    guest->sw(6, 0, 0, 0, tid);
    guest->sw(395, 0, tid, 1, 0);
    return guest;
}

struct Both {
    MadeMachines made;
    Both()
    {
        const auto of = made.add(host(), "nest", 400);
        made.addHypercall(of, 20, made.add(guest(7), "a", 400));
        made.addHypercall(of, 21, made.add(guest(8), "b", 400));
    }
};

inline TrackRef rowNamed(const Timeline& timeline, const std::string& view, const std::string& id)
{
    for (const Row& row : rows(timeline, view))
        if (row.id == id)
            return row.ref;
    return {};
}

inline TrackRef recordedRow(const Timeline& timeline, const std::vector<Row>& all, const std::string& host, const std::string& id)
{
    for (const Row& row : all)
        if (row.ref.isValid() && row.id == id && timeline.hosts[row.host].label == host)
            return row.ref;
    return {};
}

} // namespace helio::test
