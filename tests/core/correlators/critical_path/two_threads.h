#pragma once

#include "tests/core/correlators/machines/made_machines.h"

namespace helio::test {

/// Makes a trace: thread 7 waits from 100 to 300 for a lock that thread 8 holds; a timer wakes thread 8 at 150.
inline std::shared_ptr<KvmScript> twoThreads()
{
    auto script = std::make_shared<KvmScript>();
    script->dump(0, 7, 7, 1, 0, 5);
    script->dump(0, 8, 8, 1, 0, 5);
    script->sw(10, 0, 0, 0, 7);
    script->call(90, 0, "futex");
    script->sw(100, 0, 7, 1, 0);
    script->sw(120, 1, 0, 0, 8);
    script->call(290, 1, "futex");
    script->waking(300, 1, 7, 0);
    script->ret(305, 1, "futex");
    script->sw(310, 0, 0, 0, 7);
    script->sw(400, 0, 7, 1, 0);
    script->sw(410, 1, 8, 1, 0);
    return script;
}

} // namespace helio::test
