#include "CQRCode.h"
